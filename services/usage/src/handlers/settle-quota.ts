import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type SettleQuotaRequest, type SettleQuotaResponse } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { settleLease } from '../store/quotas.ts';

/**
 * Returns the unused part of a lease to its quota, or charges what exceeded it; each `move` takes effect once.
 * @throws VALIDATION_ERROR, SERVICE_UNAVAILABLE
 */
export async function settleQuota({ store }: Deps, { leaseId, move, unused }: SettleQuotaRequest): Promise<SettleQuotaResponse> {
  if (!isUuid(leaseId)) throw new GatewayError('VALIDATION_ERROR', 'lease_id is not a UUID', { param: 'lease_id' });
  await settleLease(store, leaseId, move, unused);
  return {};
}
