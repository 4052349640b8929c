import { faultSchema } from '../faults/faults.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson, sendNoContent } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { accountSchema } from '../options.ts';
import { type AccountState } from '../state/accounts.ts';
import { type SandboxState } from '../state/sandbox-state.ts';
import { type Ticket } from '../state/tickets.ts';

/** Returns the account of the path. @throws SandboxError 404 `account_not_found` */
export function requireAccountState({ sandbox, params }: HttpExchange): AccountState {
  const state = sandbox.sandboxState.accounts.get(params.id ?? '');
  if (state === undefined) throw new SandboxError(404, 'account_not_found', 'there is no such account');
  return state;
}

function accountView({ account, counters, faults }: AccountState, sandboxState: SandboxState): Record<string, unknown> {
  const { password: _password, api_key: _key, ...shown } = account;
  return {
    ...shown,
    open_streams: counters.openStreams,
    turns_accepted: counters.turnsAccepted,
    aborted_connections: counters.abortedConnections,
    last_abort_at: counters.lastAbortAt?.toISOString() ?? null,
    speeches: counters.speeches,
    transcriptions: counters.transcriptions,
    sessions: sandboxState.accounts.countSessions(account.id),
    faults: faults.pending(),
    ...ticketReport(sandboxState.tickets.listByAccount(account.id)),
    files: sandboxState.files.listByAccount(account.id).map(({ id, name, project, size }) => ({ id, name, project, size })),
    projects: sandboxState.projects.listByAccount(account.id).map(({ id, name }) => ({ id, name })),
    artifacts: sandboxState.artifacts
      .listByAccount(account.id)
      .map(({ id, name, conversation, downloads }) => ({ id, name, conversation, downloads })),
    conversations: sandboxState.conversations
      .listByAccount(account.id)
      .map(({ id, title, status, tree }) => ({ id, title, status, nodes: tree.size })),
  };
}

/** Returns every ticket, the number of all writes, and the number of duplicates of each title. */
function ticketReport(tickets: readonly Ticket[]): Record<string, unknown> {
  const byTitle = new Map<string, number>();
  for (const { title } of tickets) byTitle.set(title, (byTitle.get(title) ?? 0) + 1);
  return {
    tickets: tickets.map(({ id, title, status, writes }) => ({ id, title, status, writes })),
    ticket_writes: tickets.reduce((sum, { writes }) => sum + writes, 0),
    ticket_duplicates: Object.fromEntries([...byTitle].filter(([, count]) => count > 1).map(([title, count]) => [title, count - 1])),
  };
}

/** `POST /control/accounts`: creates or replaces an account. */
export async function putAccount({ sandbox, req, res }: HttpExchange): Promise<void> {
  const account = await readJson(req, accountSchema);
  const { accounts } = sandbox.sandboxState;
  const holder = account.api_key === undefined ? undefined : accounts.findByApiKey(account.api_key);
  if (holder !== undefined && holder.account.id !== account.id) {
    throw new SandboxError(409, 'api_key_taken', 'another account has this API key');
  }
  sandbox.sandboxState.putAccount(account);
  const { id, label, tier } = account;
  sendJson(res, 201, { id, label, tier });
}

/** `GET /control/accounts/:id`: the account, its counters, its conversations and its pending faults. */
export function getAccount(exchange: HttpExchange): void {
  const state = requireAccountState(exchange);
  const { sandboxState, challenges } = exchange.sandbox;
  sendJson(exchange.res, 200, { ...accountView(state, sandboxState), challenges: challenges.countByAccount(state.account.id) });
}

/** `POST /control/accounts/:id/faults`. */
export async function addFault(exchange: HttpExchange): Promise<void> {
  const { faults } = requireAccountState(exchange);
  faults.add(await readJson(exchange.req, faultSchema));
  sendJson(exchange.res, 201, { faults: faults.pending() });
}

/** `DELETE /control/accounts/:id/faults`. */
export function clearFaults(exchange: HttpExchange): void {
  requireAccountState(exchange).faults.clear();
  sendNoContent(exchange.res);
}

/** `POST /control/accounts/:id/expire-sessions`. */
export function expireSessions(exchange: HttpExchange): void {
  exchange.sandbox.sandboxState.record({ type: 'sessions_expired', account: requireAccountState(exchange).account.id });
  sendNoContent(exchange.res);
}
