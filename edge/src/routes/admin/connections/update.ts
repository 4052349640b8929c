import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, notEmpty, type workspaceQuery } from '../fields.ts';
import { auditOf, inWorkspaceOf } from '../on-behalf.ts';
import { baseUrl, credential, label, maxConcurrency, UPSTREAM_MS } from './fields.ts';

/** What may change about an account. */
export const connectionChange = z
  .object({
    label: label.optional(),
    enabled: z.boolean().optional(),
    base_url: baseUrl.optional(),
    account: z.string().max(200).optional(),
    api_key: credential.optional(),
    password: credential.optional(),
    max_concurrency: maxConcurrency.nullable().optional(),
    is_default: z.boolean().optional(),
  })
  .refine(notEmpty, 'at least one field is required')
  .refine((body) => body.api_key === undefined || body.password === undefined, {
    error: 'give either api_key or password',
    path: ['password'],
  })
  .meta({ id: 'ConnectionChange' });

type UpdateInput = Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>, z.output<typeof connectionChange>>;

/** Relabels, enables, disables, bounds or reconnects an account. */
export async function updateConnection(
  { principal, params, query, body }: UpdateInput,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>>> {
  const connection = await clients.chatRouting.updateConnection(
    {
      id: params.id,
      label: body.label,
      enabled: body.enabled,
      baseUrl: body.base_url,
      account: body.account,
      secret: body.api_key ?? body.password,
      // Null takes the number away.
      maxConcurrency: body.max_concurrency === null ? 0 : body.max_concurrency,
      isDefault: body.is_default,
    },
    { caller: inWorkspaceOf(principal, query.workspace_id), deadlineMs: UPSTREAM_MS },
  );
  const details = { changed: Object.keys(body) };
  await writeAudit(db, auditOf(principal, { action: 'connection.update', workspaceId: query.workspace_id, targetId: params.id, details }));
  return { body: toAdminConnection(connection) };
}
