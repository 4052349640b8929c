import { NEAR, parseQuota, type ReportPeriod, reportOf } from '../../api/quota.ts';
import { type UsageGroup } from '../../api/usage.ts';

/** Who has quotas. */
export interface Bounded {
  id: string;
  name: string;
  quotas: { requests: string | null; tokens: string | null; audio_seconds: string | null };
}

/** A quota of which much is used. */
export interface NearQuota {
  id: string;
  name: string;
  metric: 'requests' | 'tokens';
  used: number;
  limit: number;
  period: ReportPeriod;
}

/** The quotas of which at least four fifths are used, the fullest first; reports by period, those that are there. */
export function findNear(all: readonly Bounded[], reports: Partial<Record<ReportPeriod, readonly UsageGroup[] | undefined>>): NearQuota[] {
  const byId = Object.fromEntries(
    Object.entries(reports).map(([period, groups]) => [period, new Map(groups?.map((group) => [group.id, group]))]),
  );
  return all
    .flatMap(({ id, name, quotas }) =>
      (['requests', 'tokens'] as const).flatMap((metric): NearQuota[] => {
        const quota = parseQuota(quotas[metric]);
        const period = quota && reportOf(quota);
        const group = period && byId[period]?.get(id);
        if (!quota || !group) return [];
        const used = metric === 'tokens' ? group.tokens_in + group.tokens_out : group.requests - group.rate_limited;
        return used / quota.limit >= NEAR ? [{ id, name, metric, used, limit: quota.limit, period }] : [];
      }),
    )
    .toSorted((one, other) => other.used / other.limit - one.used / one.limit);
}
