import { CATALOGUE } from '@parley/protos/catalogue';
import { isCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { UPSTREAM_TIMEOUT_MS } from '../../fields.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, type workspaceQuery } from '../fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { inWorkspaceOf } from '../on-behalf.ts';

/** What the upstream said about an account. */
export const connectionTest = z
  .object({
    ok: z.boolean(),
    code: z.string().nullable().meta({ description: 'The error code a turn would get; null when all is well.' }),
    message: z.string(),
    models: z.array(z.string()),
    connection: adminConnection.nullable(),
  })
  .meta({ id: 'ConnectionTest' });

/** Asks the upstream whether the account works; that it does not is an answer, not an error. */
export async function testConnection(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>>,
  { clients, db }: RouteDeps,
): Promise<Reply<z.input<typeof connectionTest>>> {
  const caller = inWorkspaceOf(principal, query.workspace_id);
  const { ok, condition, message, models, connection } = await clients.chatRouting.testConnection(
    { id: params.id },
    { caller, deadlineMs: UPSTREAM_TIMEOUT_MS },
  );
  const audit = { action: 'connection.test', workspaceId: query.workspace_id, targetId: params.id, details: { ok } };
  await writeAudit(db, toAuditEntry(principal, audit));
  return {
    body: { ok, code: ok ? null : codeOf(condition), message, models, connection: connection ? toAdminConnection(connection) : null },
  };
}

function codeOf(condition: string): string {
  return isCondition(condition) ? CATALOGUE[condition].code : CATALOGUE.INTERNAL_ERROR.code;
}
