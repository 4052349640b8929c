import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const keyListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'keys',
  validateSearch: z.object({
    q: z.optional(z.string()),
    sort: z.catch(z.optional(z.string().check(z.regex(/^-?(name|last_used)$/))), undefined),
    scope: z.catch(z.optional(z.enum(['workspace', 'own', 'all'])), undefined),
    status: z.catch(z.optional(z.enum(['active', 'expired', 'revoked'])), undefined),
    user: z.catch(z.optional(z.uuid()), undefined),
  }),
}).lazy(() => import('./routes/key-list.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const keysRoutes = [keyListRoute] as const;
