import { createRoute } from '@tanstack/react-router';
import { workspaceRoute } from '../../routing/workspace.tsx';

const homeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
}).lazy(() => import('./routes/home.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const homeRoutes = [homeRoute] as const;
