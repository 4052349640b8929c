import { type Call } from '@parley/kit/rpc/call';
import { type ListConnectionsRequest, type ListConnectionsResponse } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';

/** RPC ListConnections: the workspace's connections with status and health, a page of those that pass the filters. */
export async function listConnections(
  { connections }: Deps,
  request: ListConnectionsRequest,
  call: Call,
): Promise<ListConnectionsResponse> {
  const { provider, status, limit, offset } = request;
  const all = (await connections.everyOf(call.caller.workspaceId)).map((connection) => connection.view());
  const matching = all.filter((connection) => (!provider || connection.provider === provider) && (!status || connection.status === status));
  return { connections: matching.slice(offset, offset + limit), total: matching.length };
}
