import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';
import { SINCE, STATUSES } from './choices.ts';

const text = z.string().optional().catch(undefined);

const requestListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests',
  validateSearch: z.object({
    status: z.enum(STATUSES).optional().catch(undefined),
    since: z.enum(SINCE).optional().catch(undefined),
    key: text,
    connection: text,
    model: text,
    error: text,
    slower: z.number().int().positive().optional().catch(undefined),
    scope: z.enum(['all']).optional().catch(undefined),
  }),
}).lazy(() => import('./routes/request-list.tsx').then(({ Route }) => Route));

const requestRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests/$requestId',
}).lazy(() => import('./routes/request.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const requestsRoutes = [requestListRoute, requestRoute] as const;
