import { GatewayError } from '@parley/protos/errors';

/** Maximum concurrent turns of one connection in a process; the socket pool of an upstream is equally large. */
export const MAX_CONCURRENCY = 4_096;

/**
 * Validates the `max_concurrency` of a connection and returns it; null for 0, which resets it to the default. Throws VALIDATION_ERROR for a
 * value that is too large, or for a positive one on a connection whose purpose is not chat.
 */
export function requireMaxConcurrency(purpose: string, given: number): number | null {
  if (given > 0 && purpose !== 'chat')
    throw new GatewayError('VALIDATION_ERROR', 'max_concurrency is for connections that chats run on', { param: 'max_concurrency' });
  if (given > MAX_CONCURRENCY) {
    throw new GatewayError('VALIDATION_ERROR', `max_concurrency is at most ${MAX_CONCURRENCY}`, { param: 'max_concurrency' });
  }
  return given === 0 ? null : given;
}
