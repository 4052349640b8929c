import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';
import { SINCE_CHOICES, TURN_STATUSES } from './turn-filter-choices.ts';

const text = z.catch(z.optional(z.string()), undefined);

const requestListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests',
  validateSearch: z.object({
    status: z.catch(z.optional(z.enum(TURN_STATUSES)), undefined),
    since: z.catch(z.optional(z.enum(SINCE_CHOICES)), undefined),
    key: text,
    connection: text,
    model: text,
    error: text,
    slower: z.catch(z.optional(z.int().check(z.positive())), undefined),
    scope: z.catch(z.optional(z.enum(['all'])), undefined),
  }),
}).lazy(() => import('./routes/request-list.tsx').then(({ Route }) => Route));

const requestRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'requests/$requestId',
}).lazy(() => import('./routes/request.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const requestsRoutes = [requestListRoute, requestRoute] as const;
