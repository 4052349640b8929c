import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const keyListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
  validateSearch: z.object({ q: z.string().optional(), sort: z.string().optional() }),
}).lazy(() => import('./routes/key-list.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const keysRoutes = [keyListRoute] as const;
