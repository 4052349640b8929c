import { GatewayError } from '@parley/protos/errors';

/** Turns that one connection may run at once in a process; the pool of an upstream has as many sockets. */
export const MAX_CONCURRENCY = 4_096;

/**
 * The number of turns at once that an operator gives a connection: null for 0, which takes the number away. Throws VALIDATION_ERROR, also for a
 * connection that turns do not run on.
 */
export function toConcurrency(purpose: string, given: number): number | null {
  if (given > 0 && purpose !== 'chat')
    throw new GatewayError('VALIDATION_ERROR', 'max_concurrency is for connections that chats run on', { param: 'max_concurrency' });
  if (given > MAX_CONCURRENCY) {
    throw new GatewayError('VALIDATION_ERROR', `max_concurrency is at most ${MAX_CONCURRENCY}`, { param: 'max_concurrency' });
  }
  return given === 0 ? null : given;
}
