import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const conversationListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'conversations',
  validateSearch: z.object({
    q: z.optional(z.string()),
    status: z.optional(z.enum(['active', 'archived'])),
    project: z.optional(z.string()),
    /** Id of an account. */
    account: z.optional(z.string()),
    pinned: z.optional(z.boolean()),
  }),
}).lazy(() => import('./routes/conversation-list.tsx').then(({ Route }) => Route));

const conversationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'conversations/$conversationId',
  validateSearch: z.object({ tab: z.optional(z.enum(['messages', 'files', 'people'])) }),
}).lazy(() => import('./routes/conversation.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const conversationsRoutes = [conversationListRoute, conversationRoute] as const;
