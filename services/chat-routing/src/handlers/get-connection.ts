import { type Call } from '@parley/kit/rpc/call';
import { type Connection, type GetConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';

/** RPC GetConnection: returns a connection of the workspace with status and health. Throws CONNECTION_NOT_FOUND. */
export async function getConnection({ connections }: Deps, { id }: GetConnectionRequest, call: Call): Promise<Connection> {
  return (await connections.getAny(call.caller.workspaceId, id)).toMessage();
}
