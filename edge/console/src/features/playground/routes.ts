import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const playgroundRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'playground',
  validateSearch: z.object({
    conversation: z.optional(z.string()),
    /** Id or slug. */
    project: z.optional(z.string()),
    model: z.optional(z.string()),
    /** Label of an account. */
    connection: z.optional(z.string()),
    profile: z.optional(z.string()),
    panel: z.optional(z.enum(['events', 'code', 'raw'])),
  }),
}).lazy(() => import('./routes/playground.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const playgroundRoutes = [playgroundRoute] as const;
