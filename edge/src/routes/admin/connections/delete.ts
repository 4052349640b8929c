import { type z } from 'zod';
import { writeAudit } from '../../../store/audit-log.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, type workspaceQuery } from '../fields.ts';
import { auditOf, inWorkspaceOf } from '../on-behalf.ts';

/** Disconnects an account. */
export async function deleteConnection(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>>,
  { clients, db }: RouteDeps,
): Promise<Reply<undefined>> {
  await clients.chatRouting.deleteConnection({ id: params.id }, { caller: inWorkspaceOf(principal, query.workspace_id) });
  await writeAudit(db, auditOf(principal, { action: 'connection.delete', workspaceId: query.workspace_id, targetId: params.id }));
  return { body: undefined };
}
