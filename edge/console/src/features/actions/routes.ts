import { createRoute } from '@tanstack/react-router';
import { z } from 'zod/mini';
import { workspaceRoute } from '../../routing/workspace.tsx';
import { RUN_STATUSES } from './components/run-statuses.ts';

/** Views of the list of actions. */
const LIST_TABS = ['catalog', 'review', 'cohort'] as const;
/** Views of one action. */
const ACTION_TABS = ['overview', 'run', 'runs', 'document', 'versions'] as const;

const actionListRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions',
  validateSearch: z.object({ tab: z.catch(z.optional(z.enum(LIST_TABS)), undefined) }),
}).lazy(() => import('./routes/action-list.tsx').then(({ Route }) => Route));

const newActionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'new-action',
}).lazy(() => import('./routes/new-action.tsx').then(({ Route }) => Route));

const actionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions/$slug',
  validateSearch: z.object({
    tab: z.catch(z.optional(z.enum(ACTION_TABS)), undefined),
    status: z.catch(z.optional(z.enum(RUN_STATUSES)), undefined),
    // Of the document that is edited; without it, the current one.
    version: z.catch(z.optional(z.int().check(z.positive())), undefined),
  }),
}).lazy(() => import('./routes/action.tsx').then(({ Route }) => Route));

const runRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'actions/$slug/runs/$runId',
}).lazy(() => import('./routes/run.tsx').then(({ Route }) => Route));

/** The screens of the feature. */
export const actionsRoutes = [actionListRoute, newActionRoute, actionRoute, runRoute] as const;
