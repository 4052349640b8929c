import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';
import { GROUPINGS, MEASURES, SCOPES } from './choices.ts';

const usageRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'usage',
  validateSearch: z.object({
    by: z.enum(GROUPINGS).optional().catch(undefined),
    period: z.enum(['24h', '7d', '30d']).optional().catch(undefined),
    show: z.enum(MEASURES).optional().catch(undefined),
    scope: z.enum(SCOPES).optional().catch(undefined),
  }),
}).lazy(() => import('./routes/usage.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const usageRoutes = [usageRoute] as const;
