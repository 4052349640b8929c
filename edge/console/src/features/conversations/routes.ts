import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const conversationListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'conversations',
  validateSearch: z.object({
    q: z.string().optional(),
    status: z.enum(['active', 'archived']).optional(),
    project: z.string().optional(),
    /** Id of an account. */
    account: z.string().optional(),
    pinned: z.boolean().optional(),
  }),
}).lazy(() => import('./routes/conversation-list.tsx').then(({ Route }) => Route));

const conversationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'conversations/$conversationId',
  validateSearch: z.object({ tab: z.enum(['messages', 'files', 'people']).optional() }),
}).lazy(() => import('./routes/conversation.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const conversationsRoutes = [conversationListRoute, conversationRoute] as const;
