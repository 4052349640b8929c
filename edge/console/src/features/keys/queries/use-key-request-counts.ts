import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { readUsage, type UsageGroup } from '../../../api/usage.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { type ApiKey, type KeyListScope } from './keys.ts';

const DAY = '24h';

/** What keys were used for in the last 24 hours: the 1,000 that were used most, of a workspace or of all, or the own ones. */
function dayOfKeysQuery(workspaceId: string, scope: KeyListScope) {
  return queryOptions({
    queryKey: [...workspaceQueryKey(workspaceId, 'usage'), 'by-key', scope],
    queryFn: async () => new Map((await readDay(workspaceId, scope)).map((group) => [group.id, group])),
  });
}

async function readDay(workspaceId: string, scope: KeyListScope): Promise<UsageGroup[]> {
  if (scope !== 'own') return readUsage({ workspaceId: scope === 'all' ? 'all' : workspaceId, by: 'key', span: { period: DAY } });
  const params = { path: { workspace_id: workspaceId }, query: { period: DAY } } as const;
  return (await unwrap(meClient.GET('/me/v1/workspaces/{workspace_id}/keys/usage', { params }))).groups;
}

/** Returns the function that counts the requests of a key in the last 24 hours; undefined where that is not known. */
export function useKeyRequestCounts(workspaceId: string, scope: KeyListScope, isAllowed: boolean): (key: ApiKey) => number | undefined {
  const { data } = useQuery({ ...dayOfKeysQuery(workspaceId, scope), enabled: isAllowed });
  return useCallback(({ id }: ApiKey) => data && (data.get(id)?.requests ?? 0), [data]);
}
