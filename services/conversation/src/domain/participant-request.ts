import { GatewayError } from '@parley/protos/errors';
import { type Ownership, isParticipantRole } from './permission.ts';
import { requireUuid } from './turn-request.ts';

/** A role that somebody can be given. @throws VALIDATION_ERROR. */
export function requireParticipantRole(role: string): 'editor' | 'viewer' {
  if (isParticipantRole(role)) return role;
  throw new GatewayError('VALIDATION_ERROR', 'role is neither viewer nor editor', { param: 'role' });
}

/** Somebody who is not the owner: the owner's role changes by a transfer alone. @throws VALIDATION_ERROR. */
export function requireNonOwner({ ownerUserId }: Ownership, userId: string): string {
  const user = requireUuid('user_id', userId);
  if (user === ownerUserId) throw new GatewayError('VALIDATION_ERROR', 'user_id is the owner', { param: 'user_id' });
  return user;
}

/** The error for somebody with whom the conversation is not shared. */
export function participantNotFound(): GatewayError {
  return new GatewayError('PARTICIPANT_NOT_FOUND', 'the conversation is not shared with this user', { param: 'user_id' });
}
