import { type ApiKey } from './queries/keys.ts';

/** The status of a key. */
export type KeyStatus = 'active' | 'expired' | 'revoked';

/** Returns the status of a key at a time. */
export function toKeyStatus({ revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now = Date.now()): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}
