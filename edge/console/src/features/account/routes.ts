import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { signedInRoute } from '../../routing/signed-in.tsx';

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account',
  validateSearch: z.object({ tab: z.catch(z._default(z.enum(['profile', 'security', 'sessions', 'console']), 'profile'), 'profile') }),
}).lazy(() => import('./routes/account.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const accountRoutes = [accountRoute] as const;
