import { type LastTurn } from '@parley/protos/conversation/v1/conversation';
import { type TurnRequest } from '@parley/protos/routing/v1/routing';

/**
 * How a request relates to the last turn of its conversation. `repeat`: that turn failed, and the request runs it again without adding its
 * messages twice. `replay`: that turn completed, and the client declares a retry because it never got the answer. `new`: a different
 * request, or the same one sent again on purpose.
 */
export type Repetition = 'new' | 'repeat' | 'replay';

/** Compares a request with the last turn of its conversation, by digest. A turn that has not ended counts as different. */
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
