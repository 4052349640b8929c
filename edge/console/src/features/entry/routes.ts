import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { rootRoute } from '../../routing/root.tsx';

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
}).lazy(() => import('./routes/setup.tsx').then(({ Route }) => Route));

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: z.object({
    return_to: z.string().optional(),
    reason: z.enum(['ended', 'idle']).optional(),
    error: z.string().optional(),
    request_id: z.string().optional(),
  }),
}).lazy(() => import('./routes/sign-in.tsx').then(({ Route }) => Route));

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
}).lazy(() => import('./routes/invitation.tsx').then(({ Route }) => Route));

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset',
}).lazy(() => import('./routes/reset.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const entryRoutes = [setupRoute, signInRoute, invitationRoute, resetRoute] as const;
