import { isUuid } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type ConversationDetail } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import { type StoredAsset } from './asset.ts';

/** Returns the id of the caller's workspace. @throws ASSET_ACCESS_DENIED for a caller without one. */
export function requireWorkspaceId({ workspaceId }: Caller): string {
  if (!isUuid(workspaceId)) throw new GatewayError('ASSET_ACCESS_DENIED', 'assets belong to workspaces, and the caller is of none');
  return workspaceId;
}

/** Returns the asset if it exists and belongs to the caller's workspace. @throws ASSET_NOT_FOUND, ASSET_ACCESS_DENIED */
export function requireAccessibleAsset<T extends Pick<StoredAsset, 'workspaceId'>>(asset: T | null | undefined, caller: Caller): T {
  if (!asset) throw new GatewayError('ASSET_NOT_FOUND', 'the asset does not exist');
  if (asset.workspaceId !== caller.workspaceId) throw new GatewayError('ASSET_ACCESS_DENIED', 'the asset belongs to another workspace');
  return asset;
}

/**
 * Rejects a caller who may only read. The caller has already read the conversation, so they are its owner or a participant; owners are
 * never listed as viewers.
 * @throws CONVERSATION_ACCESS_DENIED
 */
export function requireWriter({ participants }: ConversationDetail, caller: Caller): void {
  const role = caller.userId === '' ? undefined : participants.find(({ userId }) => userId === caller.userId)?.role;
  if (role === 'viewer') throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'a participant who is viewer may not do this');
}
