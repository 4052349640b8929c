import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { NEAR, parseQuota, type ReportPeriod, reportOf } from '../../../api/quota.ts';
import { readUsage, type UsageGroup } from '../../../api/usage.ts';
import { inWorkspace } from '../../../live/changes.ts';
import { type Key, type KeyScope } from './keys.ts';

/** What the keys of a workspace, or of all, were used for in a period; the 1,000 that were used most. */
function useOfKeysQuery(workspaceId: string, scope: KeyScope, period: ReportPeriod) {
  return queryOptions({
    queryKey: [...inWorkspace(workspaceId, 'usage'), 'by-key', scope, period],
    queryFn: async () => {
      const groups = await readUsage({ workspaceId: scope === 'all' ? 'all' : workspaceId, by: 'key', period });
      return new Map(groups.map((group) => [group.id, group]));
    },
  });
}

/** What is known of the use of a key. */
export interface KeyUse {
  /** Requests of the last 24 hours. */
  requests: number;
  quotas: QuotaUse[];
}

/** A quota of a key, and how much of it is used where a report tells. */
export interface QuotaUse {
  metric: keyof Key['quotas'];
  limit: number;
  /** Undefined where no report says how much. */
  used: number | undefined;
  period: ReportPeriod | undefined;
  text: string;
}

/** The use of each key; undefined for who may not read it. */
export function useKeyUse(
  workspaceId: string,
  scope: KeyScope,
  keys: readonly Key[],
  isAllowed: boolean,
): (key: Key) => KeyUse | undefined {
  const isAsked = (period: ReportPeriod) => isAllowed && keys.some((key) => periodsOf(key).includes(period));
  const day = useQuery({ ...useOfKeysQuery(workspaceId, scope, '24h'), enabled: isAllowed });
  const week = useQuery({ ...useOfKeysQuery(workspaceId, scope, '7d'), enabled: isAsked('7d') });
  const month = useQuery({ ...useOfKeysQuery(workspaceId, scope, '30d'), enabled: isAsked('30d') });
  const [ofDay, ofWeek, ofMonth] = [day.data, week.data, month.data];
  return useCallback(
    (key: Key) => {
      if (!isAllowed) return undefined;
      const reports = { '24h': ofDay, '7d': ofWeek, '30d': ofMonth };
      return {
        requests: ofDay?.get(key.id)?.requests ?? 0,
        quotas: quotasOf(key, (period) => reports[period] && (reports[period].get(key.id) ?? 'none')),
      };
    },
    [isAllowed, ofDay, ofWeek, ofMonth],
  );
}

/** The quotas of a key that are bounds, the ones nearest to their end first. */
function quotasOf({ quotas }: Key, useIn: (period: ReportPeriod) => UsageGroup | 'none' | undefined): QuotaUse[] {
  return (Object.entries(quotas) as [keyof Key['quotas'], string | null][])
    .flatMap(([metric, text]): QuotaUse[] => {
      const quota = parseQuota(text);
      if (!quota || text === null) return [];
      const period = metric === 'audio_seconds' ? undefined : reportOf(quota);
      const group = period && useIn(period);
      return [{ metric, text, limit: quota.limit, period, used: group && usedOf(metric, group) }];
    })
    .toSorted((one, other) => shareOf(other) - shareOf(one));
}

/** True for a key of whose quotas little is left. */
export function isNear(use: KeyUse | undefined): boolean {
  return use?.quotas.some((quota) => shareOf(quota) >= NEAR) ?? false;
}

function shareOf({ used = 0, limit }: QuotaUse): number {
  return used / limit;
}

function usedOf(metric: keyof Key['quotas'], group: UsageGroup | 'none'): number {
  if (group === 'none') return 0;
  return metric === 'tokens' ? group.tokens_in + group.tokens_out : group.requests - group.rate_limited;
}

function periodsOf({ quotas }: Key): (ReportPeriod | undefined)[] {
  return Object.values(quotas).map((text) => {
    const quota = parseQuota(text);
    return quota && reportOf(quota);
  });
}
