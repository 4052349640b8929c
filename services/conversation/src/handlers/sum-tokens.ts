import { type Call } from '@parley/kit/rpc/call';
import { type SumTokensRequest, type SumTokensResponse } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { sumTokens as readSums } from '../store/token-sums.ts';
import { requireOperator } from './require-operator.ts';

const MAX_PERIOD_MS = 3_600_000;

/**
 * Sums the tokens of the turns that ended in each minute of a period of at most an hour.
 *
 * @throws VALIDATION_ERROR; TENANT_ACCESS_DENIED for a caller with a key.
 */
export async function sumTokens(
  { store: { database } }: Deps,
  { since, until }: SumTokensRequest,
  { caller }: Call,
): Promise<SumTokensResponse> {
  requireOperator(caller);
  if (!since || !until || until <= since || until.getTime() - since.getTime() > MAX_PERIOD_MS)
    throw new GatewayError('VALIDATION_ERROR', 'since and until must be at most an hour apart', { param: 'since' });
  return { minutes: await readSums(database.generalPool, { since, until }) };
}
