import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type LeaseQuotaRequest, type QuotaLease } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { toQuotaKey } from '../domain/quota-subject.ts';
import { leaseQuotaBlock } from '../store/quotas.ts';

/** Leases a block of a quota, never more than is left. @throws VALIDATION_ERROR, SERVICE_UNAVAILABLE */
export async function leaseQuota(
  { store }: Deps,
  { leaseId, move, subject, limit, windowSeconds, needed, wanted }: LeaseQuotaRequest,
): Promise<QuotaLease> {
  const key = toQuotaKey({ subject, windowSeconds });
  if (!key || !isUuid(leaseId) || move === 0) throw new GatewayError('VALIDATION_ERROR', 'the quota is invalid', { param: 'subject' });
  return leaseQuotaBlock(store, leaseId, move, key, { limit, needed, wanted });
}
