import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const playgroundRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'playground',
  validateSearch: z.object({
    conversation: z.string().optional(),
    /** Id or slug. */
    project: z.string().optional(),
    model: z.string().optional(),
    /** Label of an account. */
    connection: z.string().optional(),
    profile: z.string().optional(),
    panel: z.enum(['events', 'code', 'raw']).optional(),
  }),
}).lazy(() => import('./routes/playground.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const playgroundRoutes = [playgroundRoute] as const;
