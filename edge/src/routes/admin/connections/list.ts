import { z } from 'zod';
import { type adminConnection, toAdminConnection } from '../../../wire/connection.ts';
import { connectionFilters } from '../../connections/list.ts';
import { type RouteDeps } from '../../deps.ts';
import { search } from '../../fields.ts';
import { cursorPageHeaders, cursorPaging, toPageRequest } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { workspaceId } from '../fields.ts';

/** Query parameters of the list of connections on the control plane. */
export const adminConnectionsQuery = z.object({
  workspace_id: workspaceId,
  search: search.optional().meta({ description: 'A part of the label or the provider, or the id.' }),
  ...connectionFilters,
  ...cursorPaging,
});

/** Returns a page of the connections of a workspace, with the fields of the control plane. */
export async function listAdminConnections(
  { principal, query }: Input<undefined, z.output<typeof adminConnectionsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof adminConnection>[]>> {
  const { workspace_id, search: text, provider, status, limit } = query;
  const page = toPageRequest(query);
  const { connections, total, nextCursor } = await clients.chatRouting.listConnections(
    {
      ...{ provider: provider ?? '', status: status ?? '', search: text ?? '', limit },
      ...('cursor' in page ? { offset: 0, cursor: page.cursor } : { offset: page.offset }),
    },
    { caller: withWorkspace(principal, workspace_id) },
  );
  const filters = { workspace_id, search: text, provider, status };
  const headers = cursorPageHeaders('/admin/v1/connections', filters, query, { total, next: nextCursor });
  return { body: connections.map(toAdminConnection), headers };
}
