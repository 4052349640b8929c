import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { assertWorkspace } from '../../../store/workspaces.ts';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { workspaceId } from '../fields.ts';
import { auditOf, inWorkspaceOf } from '../on-behalf.ts';
import { baseUrl, credential, label, maxConcurrency, models, UPSTREAM_MS } from './fields.ts';

/** An account to connect. */
export const newConnection = z
  .object({
    provider: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be the name of a provider'),
    label,
    base_url: baseUrl.optional().meta({ description: 'Absent: where the provider is by itself, for `openai`.' }),
    account: z.string().max(200).default(''),
    api_key: credential.optional(),
    password: credential.optional(),
    models: models.default([]).meta({ description: 'Empty: the provider is asked.' }),
    max_concurrency: maxConcurrency.optional(),
    is_default: z.boolean().default(false),
    workspace_id: workspaceId,
  })
  .refine((body) => body.api_key === undefined || body.password === undefined, {
    error: 'give either api_key or password',
    path: ['password'],
  })
  .meta({ id: 'NewConnection' });

/** Connects an upstream account to a workspace. */
export async function createConnection(
  { principal, body }: Input<undefined, undefined, z.output<typeof newConnection>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>>> {
  await assertWorkspace(db, body.workspace_id);
  const connection = await clients.chatRouting.createConnection(
    {
      provider: body.provider,
      label: body.label,
      baseUrl: body.base_url ?? '',
      account: body.account,
      secret: body.api_key ?? body.password ?? '',
      models: body.models,
      maxConcurrency: body.max_concurrency,
      isDefault: body.is_default,
    },
    { caller: inWorkspaceOf(principal, body.workspace_id), deadlineMs: UPSTREAM_MS },
  );
  const details = { provider: body.provider, label: body.label };
  await writeAudit(
    db,
    auditOf(principal, { action: 'connection.create', workspaceId: body.workspace_id, targetId: connection.id, details }),
  );
  return { body: toAdminConnection(connection) };
}
