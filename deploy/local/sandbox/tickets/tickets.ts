import { createHash } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../chat/conversations.ts';
import { runWithFaults } from '../faults/operation-faults.ts';
import { readJson } from '../http/read-json.ts';
import { sendJson } from '../http/respond.ts';
import { type HttpExchange } from '../http/router.ts';
import { SandboxError } from '../http/sandbox-error.ts';
import { type AccountState } from '../state/accounts.ts';
import { type IdempotentWrite, type Ticket } from '../state/tickets.ts';

const MOST_TICKETS = 10_000;
const PAGE = 100;

const title = z.string().trim().min(1).max(200);
const body = z.string().max(100_000);
const createSchema = z.strictObject({ title, body: body.default('') });
const updateSchema = z.strictObject({ title: title.optional(), body: body.optional(), status: z.enum(['open', 'closed']).optional() });

function ticketView({ id, title, body, status, at }: Ticket): Record<string, unknown> {
  return { id, title, body, status, created_at: new Date(at).toISOString() };
}

/** `POST /tickets`: creates a ticket; with an `Idempotency-Key` only once, however often it is sent. */
export async function createTicket(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, req, res } = exchange;
  const { tickets } = sandbox.sandboxState;
  const account = state.account.id;
  const body = await readJson(req, createSchema);
  if (tickets.listByAccount(account).length >= MOST_TICKETS)
    throw new SandboxError(409, 'too_many_tickets', 'this account has too many tickets');
  const made = newId('st');
  let id = made;
  const act = (): void => {
    const { by, done } = writeOf(exchange, state, body);
    if (done) id = done.ticket;
    else sandbox.sandboxState.record({ type: 'ticket', id, account, ...body, status: 'open', at: Date.now(), ...by });
  };
  const answer = (): void => sendJson(res, id === made ? 201 : 200, ticketView(ownTicket(exchange, state, id)));
  await runWithFaults(exchange, state, 'ticket_create', act, answer);
}

/** `PATCH /tickets/:id`. */
export async function updateTicket(exchange: HttpExchange, state: AccountState): Promise<void> {
  const { sandbox, req, res, params } = exchange;
  const change = await readJson(req, updateSchema);
  const ticket = ownTicket(exchange, state, params.id ?? '');
  const act = (): void => {
    const { by, done } = writeOf(exchange, state, { id: ticket.id, ...change });
    const { title = ticket.title, body = ticket.body, status = ticket.status } = change;
    if (!done) sandbox.sandboxState.record({ type: 'ticket_changed', ticket: ticket.id, title, body, status, ...by });
  };
  await runWithFaults(exchange, state, 'ticket_update', act, () => sendJson(res, 200, ticketView(ticket)));
}

/** `GET /tickets`, newest first, 100 at most; `?title=` filters by the exact title. */
export function listTickets({ sandbox, req, res }: HttpExchange, { account }: AccountState): void {
  const wanted = new URL(req.url ?? '/', 'http://sandbox').searchParams.get('title');
  const found = sandbox.sandboxState.tickets.listByAccount(account.id).filter((ticket) => wanted === null || ticket.title === wanted);
  sendJson(res, 200, { tickets: found.toReversed().slice(0, PAGE).map(ticketView), total: found.length });
}

/** `GET /tickets/:id`. */
export function getTicket(exchange: HttpExchange, state: AccountState): void {
  sendJson(exchange.res, 200, ticketView(ownTicket(exchange, state, exchange.params.id ?? '')));
}

/** A write as it is recorded, and the earlier write with the same key. */
interface Write {
  by: { key?: string; digest: string };
  done: IdempotentWrite | undefined;
}

/**
 * Looks up the key at the time of the write, so that only one of several concurrent requests executes it.
 * @throws SandboxError 422 `idempotency_key_reused` for a key that was used for another request
 */
function writeOf({ sandbox, req }: HttpExchange, { account }: AccountState, body: object): Write {
  const digest = createHash('sha256')
    .update(JSON.stringify([req.method, body]))
    .digest('hex');
  const key = req.headers['idempotency-key'];
  if (typeof key !== 'string') return { by: { digest }, done: undefined };
  const done = sandbox.sandboxState.tickets.findIdempotentWrite(account.id, key);
  if (done && done.digest !== digest)
    throw new SandboxError(422, 'idempotency_key_reused', 'the idempotency key was used for something else');
  return { by: { key, digest }, done };
}

function ownTicket({ sandbox }: HttpExchange, { account }: AccountState, id: string): Ticket {
  const ticket = sandbox.sandboxState.tickets.get(id);
  if (ticket?.account !== account.id) throw new SandboxError(404, 'ticket_not_found', 'there is no such ticket');
  return ticket;
}
