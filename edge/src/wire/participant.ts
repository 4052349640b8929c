import { type Participant } from '@parley/protos/conversation/v1/resource';
import { z } from 'zod';
import { oneOf } from './one-of.ts';
import { toTimestamp } from './time.ts';

/** Roles that a conversation can be shared with; ownership changes by transfer only. */
export const SHARED_ROLES = ['viewer', 'editor'] as const;
const ROLES = [...SHARED_ROLES, 'owner'] as const;

/** Names of people by their ids. */
export type DisplayNames = ReadonlyMap<string, string>;

/** A user who may read a conversation (viewer), go on with it (editor) or decide about it (owner). */
export const participant = z
  .object({
    user_id: z.uuid(),
    role: z.enum(ROLES),
    display_name: z.string().nullable().meta({ description: 'Null for a user that no longer exists.' }),
    added_at: z.iso.datetime(),
  })
  .meta({ id: 'Participant' });

/** A removed participant. */
export const removedParticipant = z
  .object({ user_id: z.uuid(), object: z.literal('participant.deleted'), deleted: z.literal(true) })
  .meta({ id: 'RemovedParticipant' });

/** The wire form of a participant. */
export function toParticipant(from: Participant, names: DisplayNames): z.input<typeof participant> {
  return {
    user_id: from.userId,
    role: oneOf(ROLES, from.role, 'viewer'),
    display_name: names.get(from.userId) ?? null,
    added_at: toTimestamp(from.addedAt ?? new Date(0)),
  };
}
