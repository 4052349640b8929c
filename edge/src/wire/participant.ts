import { type Participant } from '@parley/protos/conversation/v1/resource';
import { z } from 'zod';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Roles with which a conversation can be shared; the owner changes only by transfer. */
export const SHARED_ROLES = ['viewer', 'editor'] as const;
const ROLES = [...SHARED_ROLES, 'owner'] as const;

/** Display names by user id. */
export type DisplayNames = ReadonlyMap<string, string>;

/** A participant of a conversation: a viewer may read it, an editor may continue it, and the owner may manage it. */
export const participant = z
  .object({
    user_id: z.uuid(),
    role: z.enum(ROLES),
    display_name: z.string().nullable().meta({ description: 'Null for a user that no longer exists.' }),
    added_at: z.iso.datetime(),
  })
  .meta({ id: 'Participant' });

/** The response to the removal of a participant. */
export const removedParticipant = z
  .object({ user_id: z.uuid(), object: z.literal('participant.deleted'), deleted: z.literal(true) })
  .meta({ id: 'RemovedParticipant' });

/** Converts a participant to its JSON form. */
export function toParticipant(from: Participant, names: DisplayNames): z.input<typeof participant> {
  return {
    user_id: from.userId,
    role: toKnownValue(ROLES, from.role, 'viewer'),
    display_name: names.get(from.userId) ?? null,
    added_at: toTimestamp(from.addedAt ?? new Date(0)),
  };
}
