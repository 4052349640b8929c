import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type DeleteConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type HandlerDeps } from './deps.ts';

/** RPC DeleteConnection: forgets an account and its secret. Its conversations stay readable. Throws CONNECTION_NOT_FOUND. */
export async function deleteConnection(deps: HandlerDeps, { id }: DeleteConnectionRequest, call: Call): Promise<Record<string, never>> {
  const { workspaceId } = call.caller;
  if (!isUuid(id) || !(await deps.connections.delete(workspaceId, id)))
    throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
  await deps.accounts.changed(workspaceId);
  deps.log.info({ connectionId: id }, 'connection deleted');
  return {};
}
