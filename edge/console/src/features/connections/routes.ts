import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const connectionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections',
  validateSearch: z.object({
    q: z.optional(z.string()),
    status: z.optional(z.enum(['active', 'configured', 'disabled', 'expired', 'cooldown', 'rate_limited'])),
    provider: z.optional(z.string()),
    connect: z.optional(z.boolean()),
  }),
}).lazy(() => import('./routes/connection-list.tsx').then(({ Route }) => Route));

const connectionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'connections/$connectionId',
}).lazy(() => import('./routes/connection.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const connectionsRoutes = [connectionListRoute, connectionRoute] as const;
