import { queryOptions } from '@tanstack/react-query';
import { admin } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { meIn } from '../../../api/me.ts';
import { type Page, takePage } from '../../../api/take.ts';
import { inWorkspace } from '../../../live/changes.ts';

type AdminConnection = components['schemas']['AdminConnection'];

/** A connection with what everybody sees of it; the rest is for those who may change it. */
export type Connection = Pick<
  AdminConnection,
  'id' | 'label' | 'provider' | 'provider_family' | 'status' | 'health' | 'is_default' | 'created_at' | 'last_used_at' | 'cooldown_seconds'
> &
  Partial<AdminConnection>;

/** What the gateway itself can filter by. */
export interface ConnectionFilters {
  status?: Connection['status'] | undefined;
  provider?: string | undefined;
}

/** Whose view of the connections is read: `all` with addresses, models and reasons, `states` what every member sees. */
export type Sight = 'all' | 'states';

/** Rows that one request reads; the most that the gateway gives. */
export const PAGE_ROWS = 200;
/** A countdown that has ended is looked at again a moment later. */
const AFTER_COOLDOWN_MS = 1500;

function read(workspaceId: string, sight: Sight, filters: ConnectionFilters, page: number): Promise<Page<Connection>> {
  const filter = { ...(filters.status && { status: filters.status }), ...(filters.provider && { provider: filters.provider }) };
  const query = { ...filter, limit: PAGE_ROWS, offset: page * PAGE_ROWS };
  if (sight === 'all') return takePage(admin.GET('/admin/v1/connections', { params: { query: { ...query, workspace_id: workspaceId } } }));
  return takePage(meIn(workspaceId).GET('/me/v1/connections', { params: { query } }));
}

/** One page of the connections of a workspace, in the gateway's order. */
export function connectionPageQuery(workspaceId: string, sight: Sight, filters: ConnectionFilters, page: number) {
  const { status = '', provider = '' } = filters;
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'connections'), 'page', sight, status, provider, page],
    queryFn: () => read(workspaceId, sight, filters, page),
    refetchInterval: ({ state }) => untilFirstCooldownEnds(state.data?.items ?? []),
  });
}

/**
 * One connection, and the page that it was found on; null when there is none. The gateway has no operation for a single one, so the next reading begins
 * at that page. `known` says where it was found before.
 */
export function connectionQuery(workspaceId: string, sight: Sight, id: string) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'connections'), 'one', sight, id],
    queryFn: async ({ client, queryKey }) => {
      const before = client.getQueryData<{ page: number } | null>(queryKey)?.page ?? 0;
      const there = await findOn(before);
      if (there.found) return { connection: there.found, page: before };
      for (let page = 0, hasMore = true; hasMore; page += 1) {
        const { found, hasMore: isMore } = await findOn(page);
        if (found) return { connection: found, page };
        hasMore = isMore;
      }
      return null;
    },
    refetchInterval: ({ state }) => untilFirstCooldownEnds(state.data ? [state.data.connection] : []),
  });

  async function findOn(page: number): Promise<{ found: Connection | undefined; hasMore: boolean }> {
    const { items, hasMore } = await read(workspaceId, sight, {}, page);
    return { found: items.find((connection) => connection.id === id), hasMore };
  }
}

/** Milliseconds after which the first of these can be in use again; false when none of them cools down. */
function untilFirstCooldownEnds(connections: readonly Connection[]): number | false {
  const left = connections.flatMap(({ cooldown_seconds: seconds }) => (seconds === undefined ? [] : [seconds]));
  return left.length === 0 ? false : Math.min(...left) * 1000 + AFTER_COOLDOWN_MS;
}
