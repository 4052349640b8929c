import { z } from 'zod';
import { uuid } from '../fields.ts';

/** The path parameter with the id of an upstream project. */
export const projectParams = z.object({ project_id: uuid });

/** The path parameters of a file of a project; the id of the file is opaque. */
export const sourceParams = z.object({
  project_id: uuid,
  source_id: z.string().regex(/^[\w-]{1,200}$/, 'must be the id of a file of the project'),
});

const MAX_INSTRUCTIONS = 32_000;

/** Instructions for the model in every conversation of the project; null or empty for none. */
export const instructions = z.string().max(MAX_INSTRUCTIONS, `must have at most ${MAX_INSTRUCTIONS} characters`).nullable();
