import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'settings',
  validateSearch: z.object({
    tab: z.catch(z._default(z.enum(['workspaces', 'internal-projects', 'route-profiles', 'limits', 'about']), 'workspaces'), 'workspaces'),
  }),
}).lazy(() => import('./routes/settings.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const settingsRoutes = [settingsRoute] as const;
