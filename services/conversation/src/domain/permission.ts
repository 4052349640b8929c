import { type Caller } from '@parley/protos/common/v1/caller';
import { GatewayError } from '@parley/protos/errors';

/** The fields that decide who may use a conversation. */
export interface Ownership {
  workspaceId: string;
  /** Null after a transfer: any key of the owning user acts as the owner then. */
  ownerKeyId: string | null;
  ownerUserId: string | null;
  deletedAt: Date | null;
}

/** Role of a caller in a conversation. */
export type Role = 'owner' | 'editor' | 'viewer';

/** `read` it; `write` messages, title and pin; `govern`: share, transfer and delete it. */
export type Permission = 'read' | 'write' | 'govern';

const ALLOWED: Record<Role, readonly Permission[]> = {
  owner: ['read', 'write', 'govern'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** True for a service that acts on its own behalf. */
export function isServiceCaller(caller: Caller): boolean {
  return caller.workspaceId === '' && caller.keyId === '';
}

/** The permissions of a role; none without one. */
export function listPermissions(role: Role | null): readonly Permission[] {
  return role === null ? [] : ALLOWED[role];
}

/** True for a role that a participant can have. */
export function isParticipantRole(name: string | null): name is 'editor' | 'viewer' {
  return name === 'editor' || name === 'viewer';
}

/** The role of the caller; `participantRole` is the role of the caller's user among the participants. */
export function findRole(conversation: Ownership, caller: Caller, participantRole: string | null): Role | null {
  if (!isInWorkspace(conversation, caller)) return null;
  if (isOwner(conversation, caller)) return 'owner';
  return caller.userId !== '' && isParticipantRole(participantRole) ? participantRole : null;
}

/** True when the caller acts as the owner: by the owning key or, where no key owns it, by the owning user. */
export function isOwner(conversation: Ownership, caller: Caller): boolean {
  if (!isInWorkspace(conversation, caller)) return false;
  if (conversation.ownerKeyId !== null) return conversation.ownerKeyId === caller.keyId;
  return caller.userId !== '' && conversation.ownerUserId === caller.userId;
}

/** A caller without a key of the same workspace has no role. */
function isInWorkspace({ workspaceId }: Ownership, caller: Caller): boolean {
  return caller.keyId !== '' && workspaceId !== '' && workspaceId === caller.workspaceId;
}

/** Returns the conversation unless it is missing or deleted. @throws CONVERSATION_NOT_FOUND. */
export function requireExistingConversation<T extends Ownership>(conversation: T | undefined | null): T {
  if (!conversation || conversation.deletedAt) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
  return conversation;
}

/**
 * Returns the conversation when it exists and the caller has the permission. An archived conversation can be continued and stays
 * archived.
 * @throws CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED.
 */
export function requirePermission<T extends Ownership>(
  found: T | undefined | null,
  caller: Caller,
  permission: Permission,
  participantRole: string | null,
): T {
  const conversation = requireExistingConversation(found);
  const role = findRole(conversation, caller, participantRole);
  if (listPermissions(role).includes(permission)) return conversation;
  const reason = role === null ? 'the conversation belongs to another key' : `a participant who is ${role} may not do this`;
  throw new GatewayError('CONVERSATION_ACCESS_DENIED', reason);
}
