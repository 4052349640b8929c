import { type Validation } from '@parley/protos/actions/v1/actions';
import { z } from 'zod';

/** What came of looking at a document of an action. */
export const actionValidation = z
  .object({
    slug: z.string().nullable(),
    valid: z.boolean(),
    findings: z.array(z.object({ path: z.string().meta({ description: 'JSON Pointer into the document.' }), message: z.string() })),
  })
  .meta({ id: 'ActionValidation' });

/** Workspaces that take part in the beta of actions. */
export const actionCohort = z.object({ workspace_ids: z.array(z.string()) }).meta({ id: 'ActionCohort' });

/** The wire form of what is wrong with a document. */
export function toActionValidation({ slug, findings }: Validation): z.input<typeof actionValidation> {
  return {
    slug: slug === '' ? null : slug,
    valid: findings.length === 0,
    findings: findings.map(({ path, message }) => ({ path, message })),
  };
}
