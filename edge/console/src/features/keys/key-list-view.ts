import { type Key } from './queries/keys.ts';

/** What a key is. */
export type KeyStatus = 'active' | 'expired' | 'revoked';

/** Whether a key works now. */
export function statusOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>, now = Date.now()): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}
