import { z } from 'zod';
import { withDefaultWorkspace } from '../../middleware/principal.ts';
import { type connection, CONNECTION_STATUSES, toConnection } from '../../wire/connection.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { pageHeaders, paging } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';

/** Query parameters that filter lists of connections. */
export const connectionFilters = {
  provider: z.string().min(1).max(100).optional().meta({ description: 'Only accounts of this provider.' }),
  status: z.enum(CONNECTION_STATUSES).optional().meta({ description: 'Only accounts with this status.' }),
};

/** Query parameters of the list of connections. */
export const connectionsQuery = z.object({ ...connectionFilters, ...paging });

/** Returns a page of the workspace's connections, without the fields of the control plane. */
export async function listConnections(
  { principal, query }: Input<undefined, z.output<typeof connectionsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof connection>[]>> {
  const { provider, status, limit, offset } = query;
  const request = { provider: provider ?? '', status: status ?? '', limit, offset };
  const { connections, total } = await clients.chatRouting.listConnections(request, { caller: withDefaultWorkspace(principal) });
  return {
    body: connections.map(toConnection),
    headers: pageHeaders('/v1/connections', { provider, status }, query, total, getLinkWriter(principal)),
  };
}
