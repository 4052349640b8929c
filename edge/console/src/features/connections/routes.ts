import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const connectionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections',
  validateSearch: z.object({
    q: z.string().optional(),
    status: z.enum(['active', 'configured', 'disabled', 'expired', 'cooldown', 'rate_limited']).optional(),
    provider: z.string().optional(),
    connect: z.boolean().optional(),
  }),
}).lazy(() => import('./routes/connection-list.tsx').then(({ Route }) => Route));

const connectionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections/$connectionId',
}).lazy(() => import('./routes/connection.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const connectionsRoutes = [connectionListRoute, connectionRoute] as const;
