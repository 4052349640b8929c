import { createRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { workspaceRoute } from '../../routing/workspace.tsx';

const STATUSES = ['created', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

const audioRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'audio',
  validateSearch: z.object({
    tab: z.enum(['voices', 'speak', 'jobs', 'transcribe']).default('speak').catch('speak'),
    provider: z.string().optional(),
    voice: z.string().optional(),
    status: z.enum(STATUSES).optional().catch(undefined),
  }),
}).lazy(() => import('./routes/audio.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const audioRoutes = [audioRoute] as const;
