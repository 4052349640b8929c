import { z } from 'zod';
import { SHARED_ROLES } from '../../wire/participant.ts';
import { uuid } from '../fields.ts';

/** The path parameter with the id of a conversation. */
export const conversationParams = z.object({ conversation_id: uuid });

/** The path parameters of a participant of a conversation. */
export const participantParams = z.object({ conversation_id: uuid, user_id: uuid });

const MAX_TITLE = 200;

/** The title of a conversation: one line of at most 200 characters, trimmed, without control characters. */
export const title = z
  .string()
  .trim()
  .max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** The role of a participant other than the owner. */
export const sharedRole = z.enum(SHARED_ROLES);

/** A query parameter that is `true` or `false`, parsed to a boolean. */
export const booleanParam = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });
