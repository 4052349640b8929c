import { type z } from 'zod';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type idParams, type workspaceQuery } from '../fields.ts';

/** Returns a connection with the fields of the control plane. */
export async function getConnection(
  { principal, params, query }: Input<z.output<typeof idParams>, z.output<typeof workspaceQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>>> {
  const connection = await clients.chatRouting.getConnection({ id: params.id }, { caller: withWorkspace(principal, query.workspace_id) });
  return { body: toAdminConnection(connection) };
}
