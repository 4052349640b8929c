import { type IncomingMessage } from 'node:http';
import { LostCallError } from '@parley/kit/rpc/status';
import { toGatewayError } from '@parley/protos/errors';
import { type RefusalCounter } from './refusal-counter.ts';
import { getRequestContext } from './request-context.ts';

/** Counts a metered request that ended without work; requests that a service counts, or may count, are left to it. */
export function countRefusal(refusals: Pick<RefusalCounter, 'count'>, req: IncomingMessage, thrown: unknown): void {
  const { principal, isCounted } = getRequestContext(req);
  // It is unknown whether a lost call has begun work.
  if (!principal || isCounted || thrown instanceof LostCallError) return;
  const error = toGatewayError(thrown);
  if (error.condition !== 'CANCELLED') refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
}
