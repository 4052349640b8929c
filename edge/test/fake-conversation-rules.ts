import { type Call } from '@parley/kit/rpc/call';
import { type Conversation, type ListConversationsRequest, type Message, type Participant } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';

/** A conversation as it is kept: what is answered of it, and who may do what. */
export interface Kept {
  conversation: Conversation;
  workspaceId: string;
  /** Undefined after a transfer: then any key of the owner will do. */
  ownerKeyId: string | undefined;
  participants: Participant[];
  messages: Message[];
  isDeleted: boolean;
}

/** A participant of a conversation. */
export type Role = 'viewer' | 'editor' | 'owner';
const MIGHT: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, owner: 3 };
/** The time everything happens at. */
export const NOW = new Date('2025-01-31T12:00:00.000Z');

/** Whether the caller's role is enough. */
export function mayAct(kept: Kept, caller: Call['caller'], needed: Role): boolean {
  const role = roleOf(kept, caller);
  return role !== undefined && MIGHT[role] >= MIGHT[needed];
}

/** With whom, and how. */
export interface Sharing {
  conversationId: string;
  userId: string;
  role: string;
}

/** What the caller is in the conversation; undefined for a stranger. */
export function roleOf({ workspaceId, ownerKeyId, participants }: Kept, caller: Call['caller']): Role | undefined {
  if (workspaceId !== caller.workspaceId) return undefined;
  if (ownerKeyId === caller.keyId) return 'owner';
  const role = participants.find(({ userId }) => userId === caller.userId)?.role as Role | undefined;
  return role === 'owner' && ownerKeyId !== undefined ? undefined : role;
}

/** Whether a list that asks for this shows the conversation. */
export function matches(one: Conversation, request: ListConversationsRequest): boolean {
  return (
    (request.statusFilter === '' || one.status === request.statusFilter) &&
    (request.search === '' || one.title.toLowerCase().includes(request.search.toLowerCase())) &&
    (!request.pinnedOnly || one.pinned) &&
    (request.destinationFilter === '' || one.destinationType === request.destinationFilter) &&
    (request.accountFilter === '' || one.upstreamAccountId === request.accountFilter) &&
    (request.projectFilter === '' || one.upstreamProjectId === request.projectFilter)
  );
}

/** Adds a participant, or changes the role of one. */
export function share(kept: Kept, { userId, role }: Sharing): Participant {
  const known = kept.participants.find((one) => one.userId === userId);
  if (known) return Object.assign(known, { role });
  const added = { userId, role, addedAt: NOW };
  kept.participants.push(added);
  return added;
}

/** Makes a participant the owner; the former one becomes an editor. */
export function transfer(kept: Kept, { userId }: { conversationId: string; userId: string }): Conversation {
  for (const one of kept.participants) if (one.role === 'owner') one.role = 'editor';
  const others = kept.participants.filter((one) => one.userId !== userId);
  kept.participants = [{ userId, role: 'owner', addedAt: NOW }, ...others];
  kept.ownerKeyId = undefined;
  return Object.assign(kept.conversation, { ownerUserId: userId });
}

/** A participant who is not the owner. @throws PARTICIPANT_NOT_FOUND */
export function participantOf({ participants }: Kept, userId: string): Participant {
  const found = participants.find((one) => one.userId === userId && one.role !== 'owner');
  if (!found) throw new GatewayError('PARTICIPANT_NOT_FOUND', 'no such participant', { param: 'user_id' });
  return found;
}
