import { GatewayError } from '@parley/protos/errors';
import { type Quota } from '../quota/quota.ts';

/** What the edge knows about a key, its owner and its workspace. */
export interface KeyRecord {
  keyId: string;
  workspaceId: string;
  userId: string;
  scopes: string[];
  /** Slug of the internal project the key is bound to; empty for a free key. */
  project: string;
  /** Its own and those of its workspace. */
  quotas: readonly Quota[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  userStatus: string;
  workspaceStatus: string;
  /** Requests that its workspace may have under way at this edge; null: as configured. */
  maxConcurrency: number | null;
}

/** Refuses a key that may not be used now. @throws GatewayError with the condition of spec §5 */
export function assertUsable(key: KeyRecord, now: number): void {
  if (key.revokedAt) throw new GatewayError('REVOKED_API_KEY', 'the API key has been revoked');
  if (key.expiresAt && key.expiresAt.getTime() <= now) throw new GatewayError('EXPIRED_API_KEY', 'the API key has expired');
  if (key.userStatus !== 'active') throw new GatewayError('USER_NOT_ACTIVE', 'the user of this API key is disabled');
  if (key.workspaceStatus !== 'active') throw new GatewayError('WORKSPACE_DISABLED', 'the workspace is disabled');
}
