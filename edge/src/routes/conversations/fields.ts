import { isUuid } from '@parley/kit/ids/uuid';
import { z } from 'zod';
import { SHARED_ROLES } from '../../wire/participant.ts';

/** How long the operations that ask an upstream may take, in milliseconds. */
export const UPSTREAM_MS = 30_000;

/** An id in the one spelling that the services know. */
export const uuid = z
  .string()
  .refine(isUuid, 'must be a UUID')
  .transform((id) => id.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** An id that may be absent or null. */
export const optionalUuid = uuid.nullish().meta({ type: ['string', 'null'], format: 'uuid' });

/** The conversation a path names. */
export const conversationParams = z.object({ conversation_id: uuid });

/** The participant of a conversation a path names. */
export const participantParams = z.object({ conversation_id: uuid, user_id: uuid });

const MAX_TITLE = 200;

/** A title: one line without control characters. */
export const title = z
  .string()
  .trim()
  .max(MAX_TITLE, `must have at most ${MAX_TITLE} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

const MAX_SEARCH = 500;

/** A text that a list is searched for. */
export const search = z
  .string()
  .max(MAX_SEARCH, `must have at most ${MAX_SEARCH} characters`)
  // PostgreSQL cannot hold it, so nothing can match it.
  .refine((text) => !text.includes('\0'), 'must not hold U+0000');

/** What somebody may do in a conversation that is not theirs. */
export const sharedRole = z.enum(SHARED_ROLES);

/** A query parameter that is `true` or `false`. */
export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });
