import { type Action } from '@parley/protos/actions/v1/actions';
import { z } from 'zod';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

const RISKS = ['read', 'write', 'irreversible'] as const;
const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'file'] as const;

const fields = {
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.int().meta({ description: 'Version of the published document, from 1 on.' }),
  status: z.enum(['active', 'disabled']),
  risk: z.enum(RISKS).meta({ description: 'Risk of its riskiest step.' }),
  requires_connection: z.boolean(),
  published_at: z.iso.datetime(),
};

/** An action in the catalog, without its inputs and outputs. That it is listed does not mean that the workspace may run it. */
export const action = z.object(fields).meta({ id: 'Action' });

/** An action with its inputs and the names of its outputs. */
export const actionDetail = z
  .object({
    ...fields,
    inputs: z.array(z.object({ name: z.string(), type: z.enum(INPUT_TYPES), required: z.boolean(), description: z.string() })).meta({
      description: 'A `file` takes `{"asset_id": …}` of an upload.',
    }),
    outputs: z.array(z.string()),
    step_count: z.int(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ActionDetail' });

/** Converts an action to its JSON form in the catalog. */
export function toAction(from: Action): z.input<typeof action> {
  return {
    slug: from.slug,
    title: from.title,
    description: from.description,
    version: from.version,
    status: from.status === 'disabled' ? 'disabled' : 'active',
    risk: toKnownValue(RISKS, from.risk, 'irreversible'),
    requires_connection: from.requiresConnection,
    published_at: toTimestamp(from.publishedAt ?? new Date(0)),
  };
}

/** Converts an action to its JSON form with inputs and outputs. */
export function toActionDetail(from: Action): z.input<typeof actionDetail> {
  return {
    ...toAction(from),
    inputs: from.inputs.map(({ type, ...input }) => ({ ...input, type: toKnownValue(INPUT_TYPES, type, 'object') })),
    outputs: from.outputs,
    step_count: from.stepCount,
    created_at: toTimestamp(from.createdAt ?? new Date(0)),
  };
}
