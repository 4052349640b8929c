import { GatewayError } from '@parley/protos/errors';
import { type Ownership, isParticipantRole } from './permission.ts';
import { requireUuid } from './turn-request.ts';

/** Returns the role if it is `editor` or `viewer`. @throws VALIDATION_ERROR. */
export function requireParticipantRole(role: string): 'editor' | 'viewer' {
  if (isParticipantRole(role)) return role;
  throw new GatewayError('VALIDATION_ERROR', 'role is neither viewer nor editor', { param: 'role' });
}

/** Returns the user id in lower case unless it is the owner's, whose role changes only by a transfer. @throws VALIDATION_ERROR. */
export function requireNonOwner({ ownerUserId }: Ownership, userId: string): string {
  const user = requireUuid('user_id', userId);
  if (user === ownerUserId) throw new GatewayError('VALIDATION_ERROR', 'user_id is the owner', { param: 'user_id' });
  return user;
}

/** Creates the PARTICIPANT_NOT_FOUND error. */
export function participantNotFoundError(): GatewayError {
  return new GatewayError('PARTICIPANT_NOT_FOUND', 'the conversation is not shared with this user', { param: 'user_id' });
}
