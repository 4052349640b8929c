import { z } from 'zod';
import { SHARED_ROLES } from '../../wire/participant.ts';
import { uuid } from '../fields.ts';

/** The conversation in a path. */
export const conversationParams = z.object({ conversation_id: uuid });

/** The participant of a conversation in a path. */
export const participantParams = z.object({ conversation_id: uuid, user_id: uuid });

const MAX_TITLE = 200;

/** A title: one line without control characters. */
export const title = z
  .string()
  .trim()
  .max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** The role of a participant who is not the owner. */
export const sharedRole = z.enum(SHARED_ROLES);

/** A query parameter that is `true` or `false`. */
export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });
