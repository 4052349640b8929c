import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const text = z.string().min(1).max(256).optional().catch(undefined);
const date = z.iso.date().optional().catch(undefined);

const peopleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'people',
  validateSearch: z.object({
    tab: z.enum(['members', 'invitations', 'service-accounts', 'users', 'providers', 'audit']).default('members').catch('members'),
    /** Of this workspace, or of the whole gateway. */
    scope: z.enum(['workspace', 'gateway']).default('workspace').catch('workspace'),
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
