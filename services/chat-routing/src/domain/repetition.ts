import { type LastTurn } from '@parley/protos/conversation/v1/conversation';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';

/**
 * What a request is to the last turn of its conversation. `repeat`: that turn failed, and this one asks the same again without saying it
 * again. `replay`: that turn was completed and its client declares that it never got the answer. `new`: another request, or the same one on purpose.
 */
export type Repetition = 'new' | 'repeat' | 'replay';

/** Compares a request with the last turn, which has ended. */
export function toRepetition(
  { requestDigest, retry, idempotencyKey }: Pick<TurnRequest, 'requestDigest' | 'retry' | 'idempotencyKey'>,
  last: LastTurn | undefined,
): Repetition {
  if (!last || requestDigest.length === 0 || Buffer.compare(requestDigest, last.requestDigest) !== 0) return 'new';
  switch (last.status) {
    case 'failed':
    case 'interrupted':
      return 'repeat';
    case 'completed':
      // Different keys mean different requests.
      return retry && !idempotencyKey ? 'replay' : 'new';
    default:
      return 'new';
  }
}
