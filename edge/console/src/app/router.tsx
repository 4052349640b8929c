import { type QueryClient } from '@tanstack/react-query';
import { createRouter, createRoute, redirect } from '@tanstack/react-router';
import { accountRoutes } from '../features/account/routes.ts';
import { actionsRoutes } from '../features/actions/routes.ts';
import { audioRoutes } from '../features/audio/routes.ts';
import { connectionsRoutes } from '../features/connections/routes.ts';
import { conversationsRoutes } from '../features/conversations/routes.ts';
import { entryRoutes } from '../features/entry/routes.ts';
import { errorsRoutes } from '../features/errors/routes.ts';
import { homeRoutes } from '../features/home/routes.ts';
import { keysRoutes } from '../features/keys/routes.ts';
import { peopleRoutes } from '../features/people/routes.ts';
import { playgroundRoutes } from '../features/playground/routes.ts';
import { projectsRoutes } from '../features/projects/routes.ts';
import { requestsRoutes } from '../features/requests/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { usageRoutes } from '../features/usage/routes.ts';
import { rootRoute } from '../routing/root.tsx';
import { signedInRoute } from '../routing/signed-in.tsx';
import { workspaceRoute } from '../routing/workspace.tsx';
import { findLastWorkspace } from '../session/last-workspace.ts';
import { ownWorkspacesQuery } from '../session/queries.ts';
import { RouteProblem } from '../shell/route-problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Leads to the workspace of the last visit; who is a member of none sees their account. */
const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context: { queries } }) => {
    const workspaceId = findLastWorkspace(await queries.ensureQueryData(ownWorkspacesQuery));
    if (workspaceId === undefined) throw redirect({ to: '/account' });
    throw redirect({ to: '/w/$workspaceId', params: { workspaceId } });
  },
});

const routeTree = rootRoute.addChildren([
  ...entryRoutes,
  ...errorsRoutes,
  signedInRoute.addChildren([
    startRoute,
    ...accountRoutes,
    workspaceRoute.addChildren([
      ...homeRoutes,
      ...playgroundRoutes,
      ...conversationsRoutes,
      ...projectsRoutes,
      ...connectionsRoutes,
      ...keysRoutes,
      ...usageRoutes,
      ...requestsRoutes,
      ...audioRoutes,
      ...actionsRoutes,
      ...peopleRoutes,
      ...settingsRoutes,
    ]),
  ]),
]);

/** The router of the console; every screen is a chunk of its own. */
export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/console',
    context: { queries },
    defaultPreload: 'intent',
    // The cache of queries knows what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteProblem,
    defaultPendingComponent: () => <Skeleton />,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
