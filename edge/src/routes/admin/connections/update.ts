import { z } from 'zod';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { name, UPSTREAM_TIMEOUT_MS } from '../../fields.ts';
import { recordChange } from '../../record-change.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type idParams, hasDefinedField, type workspaceQuery } from '../fields.ts';
import { aliases, baseUrl, credential, label, maxConcurrency, passedParameters } from './fields.ts';

/** The body of a change of a connection. */
export const updateConnectionBody = z
  .object({
    label: label.optional(),
    enabled: z.boolean().optional(),
    base_url: baseUrl.optional(),
    account: z.string().max(200).optional(),
    api_key: credential.optional(),
    password: credential.optional(),
    max_concurrency: maxConcurrency.nullable().optional(),
    is_default: z.boolean().optional(),
    pass: passedParameters.optional(),
    default_model: name.nullable().optional().meta({ description: 'The model for `auto`; null: the first chat model.' }),
    aliases: aliases.optional().meta({ description: 'The complete list: it replaces the current one.' }),
  })
  .refine(hasDefinedField, 'at least one field is required')
  .refine((body) => body.api_key === undefined || body.password === undefined, {
    error: 'give either api_key or password',
    path: ['password'],
  })
  .meta({ id: 'ConnectionChange' });

type UpdateInput = Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>, z.output<typeof updateConnectionBody>>;

/** Changes the label, the status, the limits, the credentials, the passed parameters or the models of a connection. */
export async function updateConnection(
  { principal, params, query, body }: UpdateInput,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>>> {
  const connection = await recordChange(principal, deps, {
    ...{ action: 'connection.update', workspaceId: query.workspace_id, targetId: params.id },
    details: { changed: Object.keys(body) },
    make: () =>
      deps.clients.chatRouting.updateConnection(
        {
          id: params.id,
          label: body.label,
          enabled: body.enabled,
          baseUrl: body.base_url,
          account: body.account,
          secret: body.api_key ?? body.password,
          // Null removes the limit; the contract uses 0 for it.
          maxConcurrency: body.max_concurrency === null ? 0 : body.max_concurrency,
          isDefault: body.is_default,
          pass: body.pass && { names: body.pass },
          defaultModel: body.default_model === null ? '' : body.default_model,
          aliases: body.aliases && { models: body.aliases },
        },
        { caller: withWorkspace(principal, query.workspace_id), deadlineMs: UPSTREAM_TIMEOUT_MS },
      ),
  });
  return { body: toAdminConnection(connection) };
}
