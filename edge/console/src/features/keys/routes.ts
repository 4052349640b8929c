import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const keyListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
  validateSearch: z.object({
    q: z.string().optional(),
    sort: z
      .string()
      .regex(/^-?(name|last_used)$/)
      .optional()
      .catch(undefined),
    scope: z.enum(['workspace', 'own', 'all']).optional().catch(undefined),
    status: z.enum(['active', 'expired', 'revoked']).optional().catch(undefined),
    user: z.uuid().optional().catch(undefined),
  }),
}).lazy(() => import('./routes/key-list.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const keysRoutes = [keyListRoute] as const;
