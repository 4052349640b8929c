import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { readUsage } from '../../../api/usage.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { type CursorPage } from '../../../ui/use-growing-list.ts';
import { type SinceChoice, toSinceTime, type TurnStatus } from '../turn-filter-choices.ts';

/** A turn as it is recorded. */
export type Turn = components['schemas']['TurnStory'];

/** The filter of a list of turns. */
export interface TurnFilter {
  /** Undefined for those of all workspaces. */
  workspaceId: string | undefined;
  status?: TurnStatus | undefined;
  since?: SinceChoice | undefined;
  key?: string | undefined;
  connection?: string | undefined;
  model?: string | undefined;
  error?: string | undefined;
  /** Milliseconds. */
  slower?: number | undefined;
}

const PAGE = 100;

/** A page of turns, the newest first. @throws Problem */
export async function readTurns({ workspaceId, ...filter }: TurnFilter, cursor: string | undefined): Promise<CursorPage<Turn, string>> {
  const query = {
    limit: PAGE,
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    ...(filter.status && { status: filter.status }),
    ...(filter.since && { since: toSinceTime(filter.since, Date.now()) }),
    ...(filter.key && { key_id: filter.key }),
    ...(filter.connection && { connection_id: filter.connection }),
    ...(filter.model && { model: filter.model }),
    ...(filter.error && { error_code: filter.error }),
    ...(filter.slower !== undefined && { slower_than: filter.slower }),
    ...(cursor !== undefined && { cursor }),
  };
  const { turns, next_cursor } = await unwrap(adminClient.GET('/admin/v1/turns', { params: { query } }));
  return { items: turns, next: next_cursor ?? undefined, total: undefined };
}

/** The turns of a request, or the one with this id; it moves while one of them is streaming. */
export function requestQuery(workspaceId: string, requestId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'request', requestId],
    queryFn: async () =>
      (await unwrap(adminClient.GET('/admin/v1/requests/{request_id}', { params: { path: { request_id: requestId } } }))).turns,
  });
}

/** The usage of the last 30 days, for filters: by key (with the names of people for what they did themselves), connections or models. */
export function recentUsageQuery(workspaceId: string, by: 'key' | 'connection' | 'model') {
  return queryOptions({
    queryKey: ['requests', 'used', workspaceId, by],
    queryFn: () => readUsage({ workspaceId, by, span: { period: '30d' } }),
  });
}
