import { queryOptions } from '@tanstack/react-query';
import { adminClient } from '../../../api/admin.ts';
import { type components } from '../../../api/generated/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';

/** What a connection did in the last 24 hours. */
export type ConnectionUsage = components['schemas']['UsageByGroup']['groups'][number];

const HOUR_MS = 3_600_000;
/** More turns at once are shown as this many and a plus. */
const MOST_IN_FLIGHT = 200;
const LAST_FAILURES = 5;

/** Usage of the last 24 hours by the id of the connection. Needs `usage.read`. */
export function connectionUsageQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'by-connection'],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, by: 'connection', period: '24h' } as const;
      const answer = await unwrap(adminClient.GET('/admin/v1/usage', { params: { query } }));
      // Text is the answer to who asks for CSV.
      return new Map(typeof answer === 'string' ? [] : answer.groups.map((group) => [group.id, group]));
    },
  });
}

/** Turns that are being answered, counted by the id of their connection. Needs `requests.read`. */
export function turnsInFlightQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'in-flight'],
    queryFn: async () => {
      const since = new Date(Date.now() - HOUR_MS).toISOString();
      const query = { workspace_id: workspaceId, status: 'streaming', since, limit: MOST_IN_FLIGHT } as const;
      const { turns } = await unwrap(adminClient.GET('/admin/v1/turns', { params: { query } }));
      const counts = new Map<string, number>();
      for (const { connection } of turns) counts.set(connection.id, (counts.get(connection.id) ?? 0) + 1);
      return counts;
    },
  });
}

/** The last turns of a connection that failed, newest first. Needs `requests.read`. */
export function lastFailuresQuery(workspaceId: string, connectionId: string) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'failures', connectionId],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, connection_id: connectionId, status: 'failed', limit: LAST_FAILURES } as const;
      return (await unwrap(adminClient.GET('/admin/v1/turns', { params: { query } }))).turns;
    },
  });
}
