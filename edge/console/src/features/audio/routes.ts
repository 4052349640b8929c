import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';

const STATUSES = ['created', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

const audioRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'audio',
  validateSearch: z.object({
    tab: z.catch(z._default(z.enum(['voices', 'speak', 'jobs', 'transcribe']), 'speak'), 'speak'),
    provider: z.optional(z.string()),
    voice: z.optional(z.string()),
    status: z.catch(z.optional(z.enum(STATUSES)), undefined),
  }),
}).lazy(() => import('./routes/audio.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const audioRoutes = [audioRoute] as const;
