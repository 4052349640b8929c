import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type BeginConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { decryptFlow, encryptFlowState } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { requireValidLabel } from '../domain/connection-input.ts';
import { type ConnectFlowTarget } from '../providers/connect-flow.ts';
import { insertFlow } from '../store/connect-flows.ts';
import { toOpenConnectFlow } from './connect-flow-message.ts';
import { hashSession } from './require-connect-flow.ts';

/**
 * RPC BeginConnectFlow: creates a connect flow and returns its first step; no upstream is called yet. Throws VALIDATION_ERROR, also for a
 * label that the workspace already uses, or CONNECTION_NOT_FOUND for a connection to reconnect.
 */
export async function beginConnectFlow(deps: Deps, request: BeginConnectFlowRequest, call: Call): Promise<ConnectFlow> {
  const { store, secrets, connectLimits, log } = deps;
  const { workspaceId, requestId } = call.caller;
  const sessionHash = hashSession(request.sessionId);
  const { provider, subject } = await toSubject(deps, request, workspaceId);
  const { flow } = deps.providers.getFlow(provider);
  const id = uuidv7();
  const { connectionId, reconnects } = subject;
  const state = encryptFlowState(secrets, id, flow.begin(subject));
  const begun = { id, workspaceId, sessionHash, provider, connectionId, reconnects: reconnects !== undefined, label: request.label, state };
  const row = await insertFlow(store.database, begun, connectLimits.lifeMs, connectLimits.maxOpenFlows);
  log.info({ requestId, flowId: id, provider, ...(reconnects && { connectionId }) }, 'connect flow begun');
  return toOpenConnectFlow(row, decryptFlow(deps, row).step, connectLimits.maxWrongAnswers);
}

async function toSubject(
  { connections, providers }: Deps,
  { provider, label, connectionId, privateAddresses: mayBePrivate }: BeginConnectFlowRequest,
  workspaceId: string,
): Promise<{ provider: string; subject: ConnectFlowTarget }> {
  if (connectionId === '') {
    providers.get(provider);
    if (label !== '') requireFreeLabel(label, await connections.listAll(workspaceId));
    return { provider, subject: { connectionId: uuidv7(), mayBePrivate } };
  }
  const { id, row } = await connections.getAny(workspaceId, connectionId);
  if (label !== '') throw new GatewayError('VALIDATION_ERROR', 'a connection that is reconnected keeps its label', { param: 'label' });
  if (provider !== '' && provider !== row.provider)
    throw new GatewayError('VALIDATION_ERROR', 'the connection is of another provider', { param: 'provider' });
  const { account, baseUrl, models } = row;
  return { provider: row.provider, subject: { connectionId: id, mayBePrivate, reconnects: { account, baseUrl, models } } };
}

/** Rejects an invalid or used label at the start of the flow rather than at its end. */
function requireFreeLabel(label: string, existing: readonly { row: { label: string } }[]): void {
  requireValidLabel(label);
  if (existing.some(({ row }) => row.label === label))
    throw new GatewayError('VALIDATION_ERROR', `a connection with the label ${JSON.stringify(label)} exists already`, { param: 'label' });
}
