import { createRoute, redirect } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { rootRoute } from '../../routing/root.tsx';
import { createLinkTokenLoader } from './queries/link-token.ts';
import { toReturnPath } from './queries/return-path.ts';
import { signInOptionsQuery, optionalSessionQuery } from './queries/sign-in.ts';

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'setup',
  beforeLoad: createLinkTokenLoader('setup'),
  loader: ({ context: { queries } }) => queries.ensureQueryData(signInOptionsQuery),
}).lazy(() => import('./routes/setup.tsx').then(({ Route }) => Route));

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: z.object({
    return_to: z.catch(z.optional(z.string()), undefined),
    reason: z.catch(z.optional(z.enum(['ended', 'idle', 'reset'])), undefined),
    error: z.catch(z.optional(z.string()), undefined),
    request_id: z.catch(z.optional(z.string()), undefined),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queries }, deps }) => {
    const [visitor] = await Promise.all([queries.fetchQuery(optionalSessionQuery), queries.ensureQueryData(signInOptionsQuery)]);
    // Who comes back from a provider with an error has to see it.
    if (visitor && deps.error === undefined) throw redirect({ href: `/console${toReturnPath(deps.return_to)}`, replace: true });
    return { isSignedIn: visitor !== null };
  },
}).lazy(() => import('./routes/sign-in.tsx').then(({ Route }) => Route));

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'invitation',
  beforeLoad: createLinkTokenLoader('invitation'),
  loader: ({ context: { queries } }) => queries.fetchQuery(optionalSessionQuery),
}).lazy(() => import('./routes/invitation.tsx').then(({ Route }) => Route));

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'reset',
  beforeLoad: createLinkTokenLoader('reset'),
}).lazy(() => import('./routes/reset.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const entryRoutes = [setupRoute, signInRoute, invitationRoute, resetRoute] as const;
