import { type Call } from '@parley/kit/rpc/call';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type FlowAnswerResult, abandonSignIn } from '../connections/connect-flow-state.ts';
import { type Deps } from '../deps.ts';
import { findFreeLabel } from '../domain/connection-input.ts';
import { type FlowOutcome, type VerifiedAccount } from '../providers/connect-flow.ts';
import { failFlow, finishFlow, type FlowRow } from '../store/connect-flows.ts';
import { changeConnection, insertConnection, type TransactionHook } from '../store/connections.ts';
import { takeBackConversations } from './take-back-conversations.ts';

/** Tries of an insert with a generated label, which another flow may take at the same time. */
const LABEL_TRIES = 5;

/**
 * Stores the new connection, or the new secret of a reconnected one, completes the flow in the same transaction, and returns the
 * connection. When that fails, the sign-in at the upstream is closed. Throws CONNECT_FLOW_NOT_FOUND when the flow was cancelled, and
 * CONNECTION_NOT_FOUND or VALIDATION_ERROR, which fail the flow, when the connection was removed or changed, or the label was taken in the
 * meantime.
 */
export async function finishConnectFlow(
  deps: Deps,
  { open, claim }: FlowAnswerResult,
  { account, state }: Extract<FlowOutcome<unknown>, { is: 'proven' }>,
  call: Call,
): Promise<Connection> {
  const { row } = open;
  const { requestId } = call.caller;
  const end: TransactionHook = (tx) => finishFlow(tx, row.id, claim, row.step + 1);
  try {
    const returned = row.reconnects ? await reconnect(deps, row, account, end) : await add(deps, row, account, end, call);
    const { workspaceId, connectionId } = row;
    deps.log.info({ requestId, flowId: row.id, connectionId, provider: row.provider, reconnects: row.reconnects }, 'connect flow done');
    return { ...(await deps.connections.getAny(workspaceId, connectionId)).toMessage(), ...returned };
  } catch (thrown) {
    const { condition, message } = toGatewayError(thrown);
    if (condition === 'CONNECTION_NOT_FOUND' || condition === 'VALIDATION_ERROR')
      await failFlow(deps.store.database, row.id, claim, row.wrong, message);
    void abandonSignIn(deps, open, state, requestId);
    throw thrown;
  }
}

async function add(deps: Deps, row: FlowRow, account: VerifiedAccount, end: TransactionHook, call: Call) {
  const { workspaceId, provider, connectionId: id } = row;
  const { purpose } = deps.providers.get(provider).traits;
  const { baseUrl, account: name, secret, models, modelsNamed } = account;
  const added = {
    ...{ id, workspaceId, provider, baseUrl, account: name, models, modelsNamed },
    secret: secret ? deps.secrets.seal(id, secret) : null,
    ...{ isDefault: false, maxConcurrency: null, pass: [], defaultModel: '', aliases: {} },
  };
  const label = await insertWithLabel(deps, row, (label) =>
    insertConnection(deps.store.database, { ...added, label }, deps.providers.listNames(purpose), end),
  );
  await deps.connections.reloadAndNotify(workspaceId);
  deps.connections.health.recordSuccessfulTest(await deps.connections.getAny(workspaceId, id), true);
  return purpose === 'chat' ? takeBackConversations(deps, { ...added, label }, false, call) : undefined;
}

/** Inserts under the flow's label or a generated free one; returns the label that was stored. */
async function insertWithLabel({ connections }: Deps, row: FlowRow, insert: (label: string) => Promise<void>): Promise<string> {
  const { workspaceId, provider } = row;
  for (let tries = 1; ; tries++) {
    const taken = new Set((await connections.listAll(workspaceId)).map(({ row: { label } }) => label));
    const label = row.label || findFreeLabel(provider, taken);
    try {
      await insert(label);
      return label;
    } catch (error) {
      const isTaken = error instanceof GatewayError && error.param === 'label';
      if (!isTaken || row.label || tries === LABEL_TRIES) throw error;
      await connections.reloadFresh(workspaceId);
    }
  }
}

async function reconnect(deps: Deps, row: FlowRow, account: VerifiedAccount, end: TransactionHook): Promise<undefined> {
  const { workspaceId, connectionId: id } = row;
  const connection = await deps.connections.getAny(workspaceId, id);
  const { modelsNamed, provider } = connection.row;
  const change = {
    secret: account.secret ? deps.secrets.seal(id, account.secret) : null,
    ...(account.models.length > 0 && !modelsNamed && { models: account.models }),
  };
  const among = deps.providers.listNames(deps.providers.get(provider).traits.purpose);
  // The update matches base URL and account: another replica may just have changed them, and the new secret is valid only for these.
  const proven = { workspaceId, id, baseUrl: account.baseUrl, account: account.account };
  if (!(await changeConnection(deps.store.database, proven, change, among, end)))
    throw new GatewayError('VALIDATION_ERROR', 'the connection was changed or removed meanwhile', { param: 'connection_id' });
  await deps.connections.reloadAndNotify(workspaceId);
  deps.connections.health.recordSuccessfulTest(connection, true);
}
