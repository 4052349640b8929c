import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Account, type SandboxOptions } from '../options.ts';
import { startSandbox } from '../server.ts';

/** The account every test sandbox has. */
export const ADA: Account = { id: 'ada', label: 'Ada', password: 'secret', api_key: 'sk-ada', tier: 'plus' };

/** Schema of the response of `GET /control/accounts/:id`. */
const reportSchema = z.object({
  open_streams: z.number(),
  turns_accepted: z.number(),
  aborted_connections: z.number(),
  last_abort_at: z.string().nullable(),
  speeches: z.number(),
  transcriptions: z.number(),
  sessions: z.number(),
  challenges: z.number(),
  tickets: z.array(z.object({ id: z.string(), title: z.string(), status: z.string(), writes: z.number() })),
  ticket_writes: z.number(),
  ticket_duplicates: z.record(z.string(), z.number()),
  faults: z.array(z.object({ fault: z.string(), count: z.number() })),
  files: z.array(z.object({ id: z.string(), name: z.string(), project: z.string().nullable(), size: z.number() })),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  artifacts: z.array(z.object({ id: z.string(), name: z.string(), conversation: z.string(), downloads: z.number() })),
  conversations: z.array(z.object({ id: z.string(), title: z.string(), status: z.string(), nodes: z.number() })),
});

type AccountReport = z.infer<typeof reportSchema>;

const mailboxSchema = z.object({ messages: z.array(z.object({ code: z.string(), subject: z.string(), to: z.string() })) });
const appSchema = z.object({ code: z.string() });

/** Mails with codes, newest first, and the code of the app. */
interface Codes {
  mails: z.infer<typeof mailboxSchema>['messages'];
  app: string;
}

/** A sandbox with its control endpoint open, and one account. */
export interface TestSandbox {
  readonly url: string;
  /** Calls the public API. */
  readonly call: (method: string, path: string, body?: unknown, token?: string, signal?: AbortSignal) => Promise<Response>;
  /** Calls the control endpoint; rejects for an error response. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<void>;
  readonly report: (account?: string) => Promise<AccountReport>;
  /** Resolves with the contents of the account's mailbox and authenticator app. */
  readonly codes: (account: string) => Promise<Codes>;
  /** Resolves with a session token. */
  readonly signIn: (account?: Account) => Promise<string>;
  readonly close: () => Promise<void>;
}

function request(url: string, method: string, body?: unknown, token?: string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return fetch(url, { method, headers, signal: signal ?? null, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** Starts a sandbox without pauses on free ports. */
export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const { url, controlUrl = '', close } = await startSandbox({ delayMs: 0, accounts: [ADA], control: true, ...options });
  const call: TestSandbox['call'] = (method, path, body, token, signal) => request(url + path, method, body, token, signal);
  const shown = async (path: string): Promise<unknown> => (await request(`${controlUrl}/control/accounts/${path}`, 'GET')).json();
  return {
    url,
    call,
    close,
    codes: async (account) => ({
      mails: mailboxSchema.parse(await shown(`${account}/mailbox`)).messages,
      app: appSchema.parse(await shown(`${account}/authenticator`)).code,
    }),
    control: async (method, path, body) => {
      const response = await request(`${controlUrl}/control${path}`, method, body);
      if (!response.ok) throw new Error(`control answered ${response.status}: ${await response.text()}`);
      await response.body?.cancel();
    },
    report: async (account = ADA.id) => reportSchema.parse(await shown(account)),
    signIn: async ({ id, password } = ADA) => {
      const response = await call('POST', '/api/session', { account: id, password });
      return z.object({ token: z.string() }).parse(await response.json()).token;
    },
  };
}

/** Waits until a condition holds, for at most a minute. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(5)) if (await condition()) return;
  throw new Error('the condition did not come true');
}
