import { beforeAll } from '@jest/globals';
import { ask, CHAT, type Turn } from '../harness/chat.ts';
import { expectRefusal, type Judged, type Refusal } from '../harness/expectations.ts';
import { type Answer, call, type Request } from '../harness/http.ts';
import { type Gateway } from '../harness/parley.ts';
import { sendRaw, wire } from '../harness/raw-socket.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';

/** A row of the table of bad inputs: its number, what is sent, and what must come back. */
export type Row = [number: number | string, what: string, send: () => Promise<Judged>, refusal: Refusal];

/** An id that nothing has. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-00000000dead';

/** What bad HTTP gets. */
export const BAD_HTTP: Refusal = { status: 400, code: 'INVALID_REQUEST' };

/** What a parameter at fault gets. */
export function invalid(param: string): Refusal {
  return { status: 422, code: 'VALIDATION_ERROR', param };
}

/** Credentials that are refused. */
export function unauthorised(code: string): Refusal {
  return { status: 401, code };
}

/** Runs a row; the test's name takes its number and what is sent. */
export async function check(_row: number | string, _what: string, send: () => Promise<Judged>, refusal: Refusal): Promise<void> {
  expectRefusal(await send(), refusal);
}

/** Ways to send something to a gateway, as a tenant of it. */
export interface Sender {
  tenant: () => Tenant;
  /** A turn. */
  chat: (turn: Turn) => Promise<Answer>;
  /** Anything, to the path of a turn. */
  posted: (request: Request) => Promise<Answer>;
  /** Lines of a request on a bare socket. */
  raw: (lines: readonly string[], rest?: string) => Promise<Judged & { text: string }>;
}

/** Makes a tenant before the tests, and the ways to send in its name. */
export function senderTo(gateway: () => Gateway): Sender {
  let tenant: Tenant | undefined;
  beforeAll(async () => {
    tenant = await makeTenant(gateway);
  });
  const known = () => {
    if (!tenant) throw new Error('the tenant has not been made');
    return tenant;
  };
  return {
    tenant: known,
    chat: (turn) => ask(gateway(), { key: known().apiKey, ...turn }),
    posted: (request) => call(gateway(), 'POST', CHAT, { key: known().apiKey, ...request }),
    raw: (lines, rest = '') => sendRaw(gateway(), wire(lines, rest)),
  };
}
