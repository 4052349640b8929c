import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';
import { GROUPINGS, MEASURES, USAGE_SCOPES } from './choices.ts';

const usageRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'usage',
  validateSearch: z.object({
    by: z.catch(z.optional(z.enum(GROUPINGS)), undefined),
    period: z.catch(z.optional(z.enum(['24h', '7d', '30d'])), undefined),
    since: z.catch(z.optional(z.iso.date()), undefined),
    until: z.catch(z.optional(z.iso.date()), undefined),
    show: z.catch(z.optional(z.enum(MEASURES)), undefined),
    scope: z.catch(z.optional(z.enum(USAGE_SCOPES)), undefined),
  }),
}).lazy(() => import('./routes/usage.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const usageRoutes = [usageRoute] as const;
