import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { me } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { readUsage, type UsageGroup } from '../../../api/usage.ts';
import { inWorkspace } from '../../../live/changes.ts';
import { type Key, type KeyScope } from './keys.ts';

const DAY = '24h';

/** What keys were used for in the last 24 hours: the 1,000 that were used most, of a workspace or of all, or the own ones. */
function dayOfKeysQuery(workspaceId: string, scope: KeyScope) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'usage'), 'by-key', scope],
    queryFn: async () => new Map((await readDay(workspaceId, scope)).map((group) => [group.id, group])),
  });
}

async function readDay(workspaceId: string, scope: KeyScope): Promise<UsageGroup[]> {
  if (scope !== 'own') return readUsage({ workspaceId: scope === 'all' ? 'all' : workspaceId, by: 'key', span: { period: DAY } });
  const params = { path: { workspace_id: workspaceId }, query: { period: DAY } } as const;
  return (await unwrap(me.GET('/me/v1/workspaces/{workspace_id}/keys/usage', { params }))).groups;
}

/** Requests of each key in the last 24 hours; undefined where that is not known. */
export function useRequestsOfKeys(workspaceId: string, scope: KeyScope, isAllowed: boolean): (key: Key) => number | undefined {
  const { data } = useQuery({ ...dayOfKeysQuery(workspaceId, scope), enabled: isAllowed });
  return useCallback(({ id }: Key) => data && (data.get(id)?.requests ?? 0), [data]);
}
