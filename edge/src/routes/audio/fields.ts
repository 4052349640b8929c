import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The path parameter with the id of a speech job. */
export const jobParams = z.object({ job_id: uuid });

const name = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'must be 1 to 100 letters, digits, dots, dashes and underscores');

/** The name of a speech provider. */
export const providerName = name.meta({ description: 'One of `GET /v1/audio/providers`.' });

/** The path parameter with the name of a speech provider. */
export const providerParams = z.object({ provider: name });

/** Audio formats that can be requested. */
export const RESPONSE_FORMATS = ['wav', 'mp3', 'opus', 'aac', 'flac', 'pcm'] as const;

const MAX_NAME = 200;

/** A name that only the audio service interprets, such as a model or a voice. */
export const opaqueName = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_NAME, `must have at most ${MAX_NAME} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** A language tag such as `en` or `en-GB`. */
export const language = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$/, 'must be a language such as en or en-GB');

/**
 * Returns the schema of a text to speak of at most `max` characters; as in JSON Schema, a character outside the basic plane counts once.
 * `hint` ends the error message for a longer text.
 */
export function speechTextField(max: number, hint = '') {
  return z
    .string()
    .min(1, 'must not be empty')
    .refine((text) => text.length <= 2 * max && [...text].length <= max, `must have at most ${max} characters${hint}`)
    .refine((text) => text.trim() !== '', 'must hold something to say')
    .meta({ type: 'string', minLength: 1, maxLength: max });
}
