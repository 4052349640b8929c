import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const usageRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'usage',
  validateSearch: z.object({ from: z.string().optional(), to: z.string().optional(), by: z.string().optional() }),
}).lazy(() => import('./routes/usage.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const usageRoutes = [usageRoute] as const;
