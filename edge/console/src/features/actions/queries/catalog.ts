import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/me.ts';
import { getWorkspaceClient } from '../../../api/me.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';

/** An action of the catalog. */
export type Action = components['schemas']['Action'];
/** An action with what it takes and answers. */
export type ActionDetail = components['schemas']['ActionDetail'];
/** One thing that an action takes. */
export type ActionInput = ActionDetail['inputs'][number];

/** The first element of the keys of all queries of actions of the whole gateway. */
export const ACTIONS_QUERY_KEY = ['actions'] as const;
const PAGE = 50;
/** The most that one page of a list may have. */
const MOST = 200;

/** Reads a page of the active actions of a workspace. @throws Problem */
export function readActiveActions(workspaceId: string, offset: number): Promise<Page<Action>> {
  return unwrapPage(getWorkspaceClient(workspaceId).GET('/me/v1/actions', { params: { query: { limit: PAGE, offset } } }));
}

/** Reads a page of all actions, disabled or not. @throws Problem */
export function readAllActions(offset: number): Promise<Page<ActionDetail>> {
  return unwrapPage(adminClient.GET('/admin/v1/actions', { params: { query: { limit: PAGE, offset } } }));
}

/** One action; a user who is no member of the workspace reads it as a manager of all actions. */
export function actionQuery(workspaceId: string, slug: string, isMember: boolean) {
  return queryOptions({
    queryKey: [...ACTIONS_QUERY_KEY, 'one', workspaceId, slug, isMember],
    queryFn: () =>
      isMember ? unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/actions/{slug}', { params: { path: { slug } } })) : findAction(slug),
  });
}

/** Null where there is none: the control plane has a list only. */
async function findAction(slug: string): Promise<ActionDetail | null> {
  for (let offset = 0; ;) {
    const { items, hasMore } = await unwrapPage(adminClient.GET('/admin/v1/actions', { params: { query: { limit: MOST, offset } } }));
    const found = items.find((action) => action.slug === slug);
    if (found || !hasMore) return found ?? null;
    offset += items.length;
  }
}

/** Whether the gateway takes runs of the workspace: the execution service is on, and the workspace takes part in the beta. */
export function eligibilityQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...ACTIONS_QUERY_KEY, 'eligibility', workspaceId],
    queryFn: async () => {
      const { capabilities } = await unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/capabilities'));
      return capabilities.actions.enabled;
    },
  });
}

/** The connections whose credentials steps may use. */
export function apiConnectionsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'connections', 'http-api'],
    queryFn: () =>
      unwrap(getWorkspaceClient(workspaceId).GET('/me/v1/connections', { params: { query: { provider: 'http-api', limit: MOST } } })),
  });
}
