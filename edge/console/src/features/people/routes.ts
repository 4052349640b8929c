import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const text = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(256))), undefined);
const date = z.catch(z.optional(z.iso.date()), undefined);

const peopleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'people',
  validateSearch: z.object({
    tab: z.catch(z._default(z.enum(['members', 'invitations', 'service-accounts', 'users', 'providers', 'audit']), 'members'), 'members'),
    /** Of this workspace, or of the whole gateway. */
    scope: z.catch(z._default(z.enum(['workspace', 'gateway']), 'workspace'), 'workspace'),
    // Filters of the audit log
    action: text,
    actor: text,
    target: text,
    request: text,
    since: date,
    until: date,
  }),
}).lazy(() => import('./routes/people.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const peopleRoutes = [peopleRoute] as const;
