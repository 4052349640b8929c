import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type SettleQuotaRequest, type SettleQuotaResponse } from '@parley/protos/usage/v1/usage';
import type pg from 'pg';
import { settleLease } from '../store/quotas.ts';

/** Takes back what a lease did not hand out, or charges what it handed out too much, once for each move. @throws VALIDATION_ERROR, SERVICE_UNAVAILABLE */
export function settleQuota(pool: pg.Pool) {
  return async ({ leaseId, move, unused }: SettleQuotaRequest): Promise<SettleQuotaResponse> => {
    if (!isUuid(leaseId)) throw new GatewayError('VALIDATION_ERROR', 'a lease has a UUID', { param: 'lease_id' });
    await settleLease(pool, leaseId, move, unused);
    return {};
  };
}
