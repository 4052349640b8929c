import { z } from 'zod';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { connectionFilters } from '../../connections/list.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { workspaceId } from '../fields.ts';
import { inWorkspaceOf } from '../on-behalf.ts';

/** Query of the operator's list of connections. */
export const adminConnectionsQuery = z.object({ workspace_id: workspaceId, ...connectionFilters, ...paging });

/** The accounts of a workspace with what only the operator sees. */
export async function listAdminConnections(
  { principal, query }: Input<undefined, z.output<typeof adminConnectionsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>[]>> {
  const { workspace_id, provider, status, limit, offset } = query;
  const { connections, total } = await clients.chatRouting.listConnections(
    { provider: provider ?? '', status: status ?? '', limit, offset },
    { caller: inWorkspaceOf(principal, workspace_id) },
  );
  const headers = pageHeaders('/admin/v1/connections', { workspace_id, provider, status }, query, total);
  return { body: connections.map(toAdminConnection), headers };
}
