import { isUuid } from '@parley/kit/ids/uuid';
import { type QuotaSubjectKind, QUOTA_SUBJECT_KINDS, type QuotaMetric, QUOTA_METRICS } from '@parley/protos/quotas';
import { type WindowedQuota } from '@parley/protos/usage/v1/usage';

/** Identifies a quota: subject, metric and length of its windows. */
export interface QuotaKey {
  /** `workspace` or `key`. */
  kind: string;
  subjectId: string;
  metric: string;
  windowSeconds: number;
}

/** Returns the quota that a request identifies; undefined when the kind, the metric, the id or the window is invalid. */
export function toQuotaKey({ subject, windowSeconds }: WindowedQuota): QuotaKey | undefined {
  const { kind = '', id = '', metric = '' } = subject ?? {};
  const isKnown = QUOTA_SUBJECT_KINDS.includes(kind as QuotaSubjectKind) && QUOTA_METRICS.includes(metric as QuotaMetric);
  return isKnown && isUuid(id) && windowSeconds > 0 ? { kind, subjectId: id, metric, windowSeconds } : undefined;
}
