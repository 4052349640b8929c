import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const actionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions',
}).lazy(() => import('./routes/action-list.tsx').then(({ Route }) => Route));

const actionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions/$slug',
  validateSearch: z.object({ tab: z.string().optional() }),
}).lazy(() => import('./routes/action.tsx').then(({ Route }) => Route));

const runRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions/$slug/runs/$runId',
}).lazy(() => import('./routes/run.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const actionsRoutes = [actionListRoute, actionRoute, runRoute] as const;
