import { z } from 'zod';
import { uuid } from '../conversations/fields.ts';

/** The upstream project a path names. */
export const projectParams = z.object({ project_id: uuid });

/** The file of a project a path names; its id is opaque. */
export const sourceParams = z.object({
  project_id: uuid,
  source_id: z.string().regex(/^[\w-]{1,200}$/, 'must be the id of a file of the project'),
});

const MAX_NAME = 200;
const MAX_INSTRUCTIONS = 32_000;

/** A name: one line without control characters. */
export const projectName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME, `must have at most ${MAX_NAME} characters`)
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** What the model is told in every conversation of the project; null or empty for nothing. */
export const instructions = z.string().max(MAX_INSTRUCTIONS, `must have at most ${MAX_INSTRUCTIONS} characters`).nullable();
