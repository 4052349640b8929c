import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const peopleRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'people',
  validateSearch: z.object({
    tab: z.enum(['members', 'invitations', 'service-accounts', 'users', 'providers', 'audit']).default('members').catch('members'),
  }),
}).lazy(() => import('./routes/people.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const peopleRoutes = [peopleRoute] as const;
