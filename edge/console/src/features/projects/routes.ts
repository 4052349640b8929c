import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const projectListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'projects',
  validateSearch: z.object({ q: z.optional(z.string()) }),
}).lazy(() => import('./routes/project-list.tsx').then(({ Route }) => Route));

const projectRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'projects/$projectId',
}).lazy(() => import('./routes/project.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const projectsRoutes = [projectListRoute, projectRoute] as const;
