import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../../routing/workspace.tsx';

const connectionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections',
}).lazy(() => import('./routes/connection-list.tsx').then(({ Route }) => Route));

const connectionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections/$connectionId',
}).lazy(() => import('./routes/connection.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const connectionsRoutes = [connectionListRoute, connectionRoute] as const;
