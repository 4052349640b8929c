import { isUuid } from '@parley/kit/ids/uuid';
import { z } from 'zod';

/** Time limit of operations that call an upstream, in milliseconds. */
export const UPSTREAM_TIMEOUT_MS = 30_000;

/** A UUID of any version, converted to lower case, as the services expect it. */
export const uuid = z
  .string()
  .refine(isUuid, 'must be a UUID')
  .transform((id) => id.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** A UUID that may be absent or null. */
export const optionalUuid = uuid.nullish().meta({ type: ['string', 'null'], format: 'uuid' });

/** A name in a path or a header: at most 64 lower-case letters and digits with single dashes. */
export const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be at most 64 lower-case letters and digits with single dashes');

/** A display name: one line of 1 to 200 characters, trimmed, without control characters. */
export const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

const MAX_EMAIL = 254;

/** An email, converted to lower case; unique for each user. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL, `must have at most ${MAX_EMAIL} characters`)
  .regex(z.regexes.email, 'must be an email')
  .meta({ type: 'string', format: 'email' });

const MAX_PASSWORD_TEXT = 4_000;

/** A password as entered; `requireStrongPassword` checks a new one. */
export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_PASSWORD_TEXT, `must have at most ${MAX_PASSWORD_TEXT} characters`)
  .meta({ format: 'password' });

const MAX_TOKEN = 200;

/** The token of a one-time link. */
export const linkToken = z.string().min(1, 'must not be empty').max(MAX_TOKEN, `must have at most ${MAX_TOKEN} characters`);

/** A point in time in a query, in ISO 8601 with an offset. */
export const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-02T03:04:05Z' });

const MAX_SEARCH = 500;

/** A text to search a list for, of at most 500 characters. */
export const search = z
  .string()
  .max(MAX_SEARCH, `must have at most ${MAX_SEARCH} characters`)
  // PostgreSQL cannot store it, so nothing could match.
  .refine((text) => !text.includes('\0'), 'must not hold U+0000');
