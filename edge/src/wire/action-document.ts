import { type ActionVersion, type PublishedVersion, type Validation } from '@parley/protos/actions/v1/actions';
import { z } from 'zod';
import { toTimestamp } from './time.ts';

const json = z.record(z.string(), z.unknown());

const versionFacts = {
  version: z.int(),
  published_at: z.iso.datetime(),
  current: z.boolean().meta({ description: 'New runs use it.' }),
};

/** A version of an action, without its document. */
export const actionVersion = z.object(versionFacts).meta({ id: 'ActionVersion' });

/** A version of an action with its document. */
export const publishedActionVersion = z
  .object({ ...versionFacts, document: json, sources: z.record(z.string(), json) })
  .meta({ id: 'PublishedActionVersion', description: 'Document and sources can be published again as they are.' });

/** The result of validating the document of an action; `findings` is empty when it is valid. */
export const actionValidation = z
  .object({
    slug: z.string().nullable(),
    valid: z.boolean(),
    findings: z.array(z.object({ path: z.string().meta({ description: 'JSON Pointer into the document.' }), message: z.string() })),
  })
  .meta({ id: 'ActionValidation' });

/** Ids of the workspaces that take part in the beta of actions. */
export const actionCohort = z.object({ workspace_ids: z.array(z.string()) }).meta({ id: 'ActionCohort' });

/** Converts a version to its JSON form. */
export function toActionVersion({ version, publishedAt, isCurrent }: ActionVersion): z.output<typeof actionVersion> {
  return { version, published_at: toTimestamp(publishedAt ?? new Date(0)), current: isCurrent };
}

/** Converts a version with its document to its JSON form. */
export function toPublishedActionVersion({ version, document }: PublishedVersion): z.output<typeof publishedActionVersion> {
  const { document: text = '{}', sources = {} } = document ?? {};
  return {
    ...toActionVersion(version ?? { version: 0, publishedAt: undefined, isCurrent: false }),
    document: parseObject(text),
    sources: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, parseObject(source)])),
  };
}

function parseObject(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** Converts the findings of a validation to their JSON form. */
export function toActionValidation({ slug, findings }: Validation): z.input<typeof actionValidation> {
  return {
    slug: slug === '' ? null : slug,
    valid: findings.length === 0,
    findings: findings.map(({ path, message }) => ({ path, message })),
  };
}
