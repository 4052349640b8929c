import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../../routing/workspace.tsx';

const requestListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests',
}).lazy(() => import('./routes/request-list.tsx').then(({ Route }) => Route));

const requestRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests/$requestId',
}).lazy(() => import('./routes/request.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const requestsRoutes = [requestListRoute, requestRoute] as const;
