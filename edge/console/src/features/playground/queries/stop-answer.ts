import { me } from '../../../api/me.ts';
import { take } from '../../../api/take.ts';

/** Stops the answer to the request with this key, which goes on without its page otherwise. @throws Problem */
export function stopAnswer(idempotencyKey: string): Promise<unknown> {
  return take(me.POST('/me/v1/chat/completions/stop', { params: { header: { 'Idempotency-Key': idempotencyKey } } }));
}
