import { type ApiKey } from './queries/keys.ts';

/** What a key is. */
export type KeyStatus = 'active' | 'expired' | 'revoked';

/** Whether a key works now. */
export function toKeyStatus({ revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now = Date.now()): KeyStatus {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active';
}
