import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The upstream project in a path. */
export const projectParams = z.object({ project_id: uuid });

/** The file of a project a path names; its id is opaque. */
export const sourceParams = z.object({
  project_id: uuid,
  source_id: z.string().regex(/^[\w-]{1,200}$/, 'must be the id of a file of the project'),
});

const MAX_INSTRUCTIONS = 32_000;

/** Instructions to the model in every conversation of the project; null or empty for nothing. */
export const instructions = z.string().max(MAX_INSTRUCTIONS, `must have at most ${MAX_INSTRUCTIONS} characters`).nullable();
