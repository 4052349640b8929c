import { type Call } from '@parley/kit/rpc/call';
import { type GetConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { decryptFlow } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { toDoneConnectFlow, toFailedConnectFlow, toOpenConnectFlow } from './connect-flow-message.ts';
import { flowNotFoundError, requireFlow, toFlowKey } from './require-connect-flow.ts';

/** RPC GetConnectFlow: returns a flow with its step or result. Throws CONNECT_FLOW_NOT_FOUND, also once its connection was removed. */
export async function getConnectFlow(deps: Deps, request: GetConnectFlowRequest, call: Call): Promise<ConnectFlow> {
  const row = await requireFlow(deps, toFlowKey(request, call));
  if (row.status === 'failed') return toFailedConnectFlow(row);
  if (row.status === 'open') return toOpenConnectFlow(row, decryptFlow(deps, row).step, deps.connectLimits.maxWrongAnswers);
  const connection = (await deps.connections.listAll(row.workspaceId)).find(({ id }) => id === row.connectionId);
  if (!connection) throw flowNotFoundError();
  return toDoneConnectFlow(row, connection.toMessage());
}
