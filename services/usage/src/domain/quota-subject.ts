import { isUuid } from '@parley/kit/ids/uuid';
import { type QuotaKind, QUOTA_KINDS, type QuotaMetric, QUOTA_METRICS } from '@parley/protos/quotas';
import { type WindowedQuota } from '@parley/protos/usage/v1/usage';

/** Identifies a quota: subject, metric and length of its windows. */
export interface QuotaKey {
  /** workspace | key */
  kind: string;
  subjectId: string;
  metric: string;
  windowSeconds: number;
}

/** The quota that a request names; undefined where there can be none. */
export function toQuotaKey({ subject, windowSeconds }: WindowedQuota): QuotaKey | undefined {
  const { kind = '', id = '', metric = '' } = subject ?? {};
  const isKnown = QUOTA_KINDS.includes(kind as QuotaKind) && QUOTA_METRICS.includes(metric as QuotaMetric);
  return isKnown && isUuid(id) && windowSeconds > 0 ? { kind, subjectId: id, metric, windowSeconds } : undefined;
}
