import { GatewayError } from '@parley/protos/errors';
import { type ListQuotaUseRequest, type ListQuotaUseResponse } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { toQuotaKey } from '../domain/quota-subject.ts';
import { readQuotaUse } from '../store/quotas.ts';

const MAX_QUOTAS = 1_000;

/** Returns how much of each quota is used in its current window. @throws VALIDATION_ERROR, SERVICE_UNAVAILABLE */
export async function listQuotaUse({ store }: Deps, { quotas }: ListQuotaUseRequest): Promise<ListQuotaUseResponse> {
  const keys = quotas.flatMap((quota) => toQuotaKey(quota) ?? []);
  if (keys.length < quotas.length) throw new GatewayError('VALIDATION_ERROR', 'a quota is invalid', { param: 'quotas' });
  if (keys.length > MAX_QUOTAS) throw new GatewayError('VALIDATION_ERROR', `more than ${MAX_QUOTAS} quotas`, { param: 'quotas' });
  return { uses: await readQuotaUse(store, keys) };
}
