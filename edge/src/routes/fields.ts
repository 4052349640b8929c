import { isUuid } from '@parley/kit/ids/uuid';
import { z } from 'zod';

/** Time limit of operations that call an upstream, in milliseconds. */
export const UPSTREAM_TIMEOUT_MS = 30_000;

/** A UUID of any version; in lower case, the one spelling that the services know. */
export const uuid = z
  .string()
  .refine(isUuid, 'must be a UUID')
  .transform((id) => id.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** An id that may be absent or null. */
export const optionalUuid = uuid.nullish().meta({ type: ['string', 'null'], format: 'uuid' });

/** What names a resource in a path or a header: at most 64 lower-case letters and digits with single dashes. */
export const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be at most 64 lower-case letters and digits with single dashes');

/** A name for people: one line, no control characters. */
export const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

const MAX_EMAIL = 254;

/** An email in lower case, in which each person has an own one. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL, `must have at most ${MAX_EMAIL} characters`)
  .regex(z.regexes.email, 'must be an email')
  .meta({ type: 'string', format: 'email' });

const MAX_PASSWORD_TEXT = 4_000;

/** A password as it was typed; whether it is a good one is decided where it is new. */
export const password = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_PASSWORD_TEXT, `must have at most ${MAX_PASSWORD_TEXT} characters`)
  .meta({ format: 'password' });

const MAX_TOKEN = 200;

/** The token of a link. */
export const linkToken = z.string().min(1, 'must not be empty').max(MAX_TOKEN, `must have at most ${MAX_TOKEN} characters`);

/** A point in time in a query. */
export const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-02T03:04:05Z' });

const MAX_SEARCH = 500;

/** A text to search a list for. */
export const search = z
  .string()
  .max(MAX_SEARCH, `must have at most ${MAX_SEARCH} characters`)
  // PostgreSQL cannot hold it, so nothing can match it.
  .refine((text) => !text.includes('\0'), 'must not hold U+0000');
