import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { asProblem } from '../../../api/problem.ts';
import { type Page, unwrap, unwrapPage } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

type AdminConnection = components['schemas']['AdminConnection'];

/** A connection with what everybody sees of it; the rest is for those who may change it. */
export type Connection = Pick<
  AdminConnection,
  'id' | 'label' | 'provider' | 'provider_family' | 'status' | 'health' | 'is_default' | 'created_at' | 'last_used_at' | 'cooldown_seconds'
> &
  Partial<AdminConnection>;

/** What the gateway itself can filter by. */
export interface ConnectionFilters {
  /** A part of the label or the provider. */
  text?: string | undefined;
  status?: Connection['status'] | undefined;
  provider?: string | undefined;
}

/** How much of the connections is read: `all` with addresses, models and reasons, `states` what every member sees. */
export type ConnectionDetailLevel = 'all' | 'states';

/** Rows that one request reads; the most that the gateway gives. */
export const PAGE_ROWS = 200;
/** A countdown that has ended is looked at again a moment later. */
const AFTER_COOLDOWN_MS = 1500;

/** One page of the connections of a workspace, in the gateway's order. */
export function connectionPageQuery(workspaceId: string, sight: ConnectionDetailLevel, filters: ConnectionFilters, page: number) {
  const { status = '', provider = '', text = '' } = filters;
  const filter = { ...(status && { status }), ...(provider && { provider }), ...(text && { search: text }) };
  const query = { workspace_id: workspaceId, ...filter, limit: PAGE_ROWS, offset: page * PAGE_ROWS };
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'page', sight, status, provider, text, page],
    queryFn: async (): Promise<Page<Connection>> => {
      const { items, ...rest } = await unwrapPage(adminClient.GET('/admin/v1/connections', { params: { query } }));
      return { ...rest, items: items.map((connection) => seenBy(sight, connection)) };
    },
    refetchInterval: ({ state }) => untilFirstCooldownEnds(state.data?.items ?? []),
  });
}

/** One connection; null when there is none. */
export function connectionQuery(workspaceId: string, sight: ConnectionDetailLevel, id: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'connections'), 'one', sight, id],
    queryFn: async (): Promise<Connection | null> => {
      const params = { path: { id }, query: { workspace_id: workspaceId } };
      const found = await unwrap(adminClient.GET('/admin/v1/connections/{id}', { params })).catch((error: unknown) => {
        if (asProblem(error).status === 404) return null;
        throw error;
      });
      return found && seenBy(sight, found);
    },
    refetchInterval: ({ state }) => untilFirstCooldownEnds(state.data ? [state.data] : []),
  });
}

function seenBy(sight: ConnectionDetailLevel, connection: AdminConnection): Connection {
  if (sight === 'all') return connection;
  const { id, label, provider, provider_family, status, health, is_default, created_at, last_used_at, cooldown_seconds } = connection;
  const common = { id, label, provider, provider_family, status, health, is_default, created_at, last_used_at };
  return cooldown_seconds === undefined ? common : { ...common, cooldown_seconds };
}

/** Milliseconds after which the first of these can be in use again; false when none of them cools down. */
function untilFirstCooldownEnds(connections: readonly Connection[]): number | false {
  const left = connections.flatMap(({ cooldown_seconds: seconds }) => (seconds === undefined ? [] : [seconds]));
  return left.length === 0 ? false : Math.min(...left) * 1000 + AFTER_COOLDOWN_MS;
}
