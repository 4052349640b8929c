import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type QuotaKind, QUOTA_KINDS, type QuotaMetric, QUOTA_METRICS } from '@parley/protos/quotas';
import { type LeaseQuotaRequest, type QuotaLease } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { leaseBlock } from '../store/quotas.ts';

/** Leases a block of a quota, never more than is left. @throws VALIDATION_ERROR, SERVICE_UNAVAILABLE */
export async function leaseQuota(
  { store }: Deps,
  { leaseId, move, subject, limit, windowSeconds, needed, wanted }: LeaseQuotaRequest,
): Promise<QuotaLease> {
  const { kind = '', id = '', metric = '' } = subject ?? {};
  const isKnown = QUOTA_KINDS.includes(kind as QuotaKind) && QUOTA_METRICS.includes(metric as QuotaMetric);
  if (!isKnown || !isUuid(id) || !isUuid(leaseId) || windowSeconds === 0 || move === 0) {
    throw new GatewayError('VALIDATION_ERROR', 'the quota is invalid', { param: 'subject' });
  }
  return leaseBlock(store, leaseId, move, { kind, subjectId: id, metric, windowSeconds }, { limit, needed, wanted });
}
