import { createRoute, Outlet } from '@tanstack/react-router';
import { rememberWorkspace } from '../session/last-workspace.ts';
import { signedInRoute } from './signed-in.tsx';

/** Parent of the screens of one workspace; its id is in the path, so that a link leads to the same place for everybody. */
export const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'w/$workspaceId',
  beforeLoad: ({ params }) => rememberWorkspace(params.workspaceId),
  component: Outlet,
});
