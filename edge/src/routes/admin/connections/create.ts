import { z } from 'zod';
import { requireWorkspaceExists } from '../../../store/workspaces.ts';
import { type createdConnection, toCreatedConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { name, UPSTREAM_TIMEOUT_MS } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { workspaceId } from '../fields.ts';
import { aliases, baseUrl, credential, label, maxConcurrency, models, passedParameters, BULK_CHANGE_TIMEOUT_MS } from './fields.ts';

/** The body to connect an upstream account. */
export const createConnectionBody = z
  .object({
    provider: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the name of a provider'),
    label,
    base_url: baseUrl.optional().meta({ description: 'Absent: the default of the provider, if it has one.' }),
    account: z.string().max(200).default('').meta({
      description:
        '`azure`: the resource; `bedrock`: the region; `google-vertex`: a location, or project/location; `http-api`: the header of the key; `sandbox`: the login name.',
    }),
    api_key: credential.optional(),
    password: credential.optional(),
    models: models.default([]).meta({ description: 'Empty: the models that the provider lists.' }),
    max_concurrency: maxConcurrency.optional(),
    is_default: z.boolean().default(false),
    pass: passedParameters.default([]),
    default_model: name.nullish().meta({ description: 'The model for `auto`; absent: the first chat model.' }),
    aliases: aliases.default({}),
    take_back: z.boolean().default(false).meta({
      description: 'Conversations of removed connections with this label continue on this one.',
    }),
    workspace_id: workspaceId,
  })
  .refine((body) => body.api_key === undefined || body.password === undefined, {
    error: 'give either api_key or password',
    path: ['password'],
  })
  .meta({ id: 'NewConnection' });

/** Connects an upstream account to a workspace; stores it only when its test succeeds. */
export async function createConnection(
  { principal, body }: Input<undefined, undefined, z.output<typeof createConnectionBody>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdConnection>>> {
  await requireWorkspaceExists(deps.db, body.workspace_id);
  const connection = await recordChange(principal, deps, {
    ...{ action: 'connection.create', workspaceId: body.workspace_id },
    details: { provider: body.provider, label: body.label, take_back: body.take_back },
    make: () =>
      deps.clients.chatRouting.createConnection(
        {
          provider: body.provider,
          label: body.label,
          baseUrl: body.base_url ?? '',
          account: body.account,
          secret: body.api_key ?? body.password ?? '',
          models: body.models,
          maxConcurrency: body.max_concurrency,
          isDefault: body.is_default,
          pass: body.pass,
          defaultModel: body.default_model ?? '',
          aliases: body.aliases,
          takeBack: body.take_back,
        },
        {
          caller: withWorkspace(principal, body.workspace_id),
          deadlineMs: body.take_back ? BULK_CHANGE_TIMEOUT_MS : UPSTREAM_TIMEOUT_MS,
        },
      ),
    toAuditFields: ({ id }) => ({ targetId: id }),
  });
  return { body: toCreatedConnection(connection) };
}
