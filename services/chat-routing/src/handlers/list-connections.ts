import { type Call } from '@parley/kit/rpc/call';
import { type ListConnectionsRequest, type ListConnectionsResponse } from '@parley/protos/routing/v1/routing';
import { type HandlerDeps } from './deps.ts';

/** RPC ListConnections: the workspace's connections with status and health, a page of those that pass the filters. */
export async function listConnections(
  { accounts }: HandlerDeps,
  request: ListConnectionsRequest,
  call: Call,
): Promise<ListConnectionsResponse> {
  const { provider, status, limit, offset } = request;
  const all = (await accounts.everyOf(call.caller.workspaceId)).map((account) => account.view());
  const matching = all.filter((connection) => (!provider || connection.provider === provider) && (!status || connection.status === status));
  return { connections: matching.slice(offset, offset + limit), total: matching.length };
}
