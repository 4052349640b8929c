import { GatewayError } from '@parley/protos/errors';

/** The maximum length of an idempotency key, in characters. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/**
 * Compares the digest of a repeated request with the digest that was stored under its idempotency key. `param` is the API's name of the key.
 * @throws VALIDATION_ERROR when the key belongs to another request
 */
export function requireSameRequest(stored: Buffer, digest: Uint8Array, param: string): void {
  if (!stored.equals(digest)) throw new GatewayError('VALIDATION_ERROR', 'the idempotency key belongs to another request', { param });
}
