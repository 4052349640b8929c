import { type Call } from '@parley/kit/rpc/call';
import { type CancelConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import { abandonSignIn, decryptFlow } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { deleteOpenFlow } from '../store/connect-flows.ts';
import { flowNotFoundError, toFlowKey } from './require-connect-flow.ts';

/** RPC CancelConnectFlow: deletes a flow and closes its sign-in at the upstream in the background. Throws CONNECT_FLOW_NOT_FOUND. */
export async function cancelConnectFlow(deps: Deps, request: CancelConnectFlowRequest, call: Call): Promise<Record<string, never>> {
  const { requestId } = call.caller;
  const row = await deleteOpenFlow(deps.store.database, toFlowKey(request, call));
  if (!row) throw flowNotFoundError();
  deps.log.info({ requestId, flowId: row.id }, 'connect flow cancelled');
  const open = decryptFlow(deps, row);
  void abandonSignIn(deps, open, open.state, requestId);
  return {};
}
