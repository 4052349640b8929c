import { useSuspenseQuery } from '@tanstack/react-query';
import { createRoute, redirect } from '@tanstack/react-router';
import { asProblem } from '../api/problem.ts';
import { permissionsQuery, sessionQuery, ownWorkspacesQuery } from '../session/queries.ts';
import { SecondFactorSetupLayout } from '../shell/second-factor-setup-layout.tsx';
import { SignedInLayout } from '../shell/signed-in-layout.tsx';
import { rootRoute } from './root.tsx';

/** Parent of what only signed-in people see: others are sent to the sign-in, and come back. Who owes a second factor can set it up, and nothing else. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queries }, location }) => {
    try {
      const [session] = await Promise.all([queries.ensureQueryData(sessionQuery), queries.ensureQueryData(permissionsQuery)]);
      if (!session.second_factor_required) await queries.ensureQueryData(ownWorkspacesQuery);
      else if (location.pathname !== '/account') throw redirect({ to: '/account', search: { tab: 'security' } });
    } catch (error) {
      if (asProblem(error).code === 'SIGN_IN_REQUIRED') throw redirect({ to: '/sign-in', search: { return_to: location.href } });
      throw error;
    }
  },
  component: SignedIn,
});

function SignedIn() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return session.second_factor_required ? <SecondFactorSetupLayout /> : <SignedInLayout />;
}
