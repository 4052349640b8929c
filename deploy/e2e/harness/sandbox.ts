import { z } from 'zod';
import { type Gateway } from './parley.ts';

const report = z.object({
  open_streams: z.int(),
  turns_accepted: z.int(),
  speeches: z.int(),
  transcriptions: z.int(),
  aborted_connections: z.int(),
  /** Those that were ordered and have not happened; `count`: how often they still will. */
  faults: z.array(z.looseObject({ fault: z.string(), count: z.int() })),
  /** What was made over the tickets API; `writes` counts its creation and its changes. */
  tickets: z.array(z.object({ id: z.string(), title: z.string(), status: z.string(), writes: z.int() })),
  ticket_writes: z.int(),
  /** Titles that more than one ticket has, and how many are too many. */
  ticket_duplicates: z.record(z.string(), z.int()),
  conversations: z.array(z.object({ id: z.string(), status: z.string(), nodes: z.int() })),
  files: z.array(z.looseObject({ id: z.string(), name: z.string(), project: z.string().nullish(), size: z.int() })),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  /** What was made, and how often each left whole since the start. */
  artifacts: z.array(z.looseObject({ name: z.string(), downloads: z.int() })),
});

const tree = z.object({
  nodes: z.array(z.looseObject({ id: z.string(), role: z.string(), content: z.string(), finish_reason: z.string().nullish() })),
});

/** What an account of the sandbox upstream has seen. */
export type AccountReport = z.infer<typeof report>;

/** An account to make upstream. */
export interface SandboxAccount {
  id: string;
  password: string;
  apiKey: string;
  /** @default 'plus' */
  tier?: 'free' | 'plus';
  /** What a sign-in asks for besides the password. @default nothing */
  signIn?: { one_time_code: boolean; second_factors: ('app' | 'email')[] };
}

/** A fault to order; what each does stands in the sandbox's README. */
export interface FaultOrder {
  fault: string;
  /** What meets it. @default 'chat', or the only operation that can meet it */
  on?: string;
  /** -1 until cleared. @default 1 */
  count?: number;
  after_chunks?: number;
  delay_ms?: number;
}

/** What may happen to a conversation upstream. */
export type UpstreamChange = 'delete' | 'break-chain' | 'lose-access' | 'restore';

/** The sandbox upstream from behind: its control endpoint, and its own chat API to look at what it keeps. */
export class Sandbox {
  readonly #gateway: () => Gateway;

  constructor(gateway: () => Gateway) {
    this.#gateway = gateway;
  }

  async putAccount({ id, password, apiKey, tier = 'plus', signIn }: SandboxAccount): Promise<void> {
    await this.#control('POST', '/accounts', { id, label: id, password, api_key: apiKey, tier, ...(signIn && { sign_in: signIn }) });
  }

  /** The code that the account was sent last. */
  async mailedCode(account: string): Promise<string> {
    const { messages } = z
      .object({ messages: z.array(z.looseObject({ code: z.string() })) })
      .parse(await this.#control('GET', `/accounts/${account}/mailbox`));
    return messages[0]?.code ?? '';
  }

  /** The code that the authenticator app of the account shows. */
  async appCode(account: string): Promise<string> {
    return z.looseObject({ code: z.string() }).parse(await this.#control('GET', `/accounts/${account}/authenticator`)).code;
  }

  async order(account: string, order: FaultOrder): Promise<void> {
    await this.#control('POST', `/accounts/${account}/faults`, order);
  }

  async clearFaults(account: string): Promise<void> {
    await this.#control('DELETE', `/accounts/${account}/faults`);
  }

  async expireSessions(account: string): Promise<void> {
    await this.#control('POST', `/accounts/${account}/expire-sessions`);
  }

  async report(account: string): Promise<AccountReport> {
    return report.parse(await this.#control('GET', `/accounts/${account}`));
  }

  async change(conversation: string, change: UpstreamChange): Promise<void> {
    await this.#control('POST', `/conversations/${conversation}/${change}`);
  }

  /** Appends a message on the upstream's side. */
  async append(conversation: string, role: 'user' | 'assistant', content: string): Promise<void> {
    await this.#control('POST', `/conversations/${conversation}/append`, { role, content });
  }

  /** Changes the text of a message on the upstream's side. */
  async edit(conversation: string, message: string, content: string): Promise<void> {
    await this.#control('PUT', `/conversations/${conversation}/messages/${message}`, { content });
  }

  /** Runs `work` while every reply pauses this long between its words. */
  async paced<T>(delayMs: number, work: () => Promise<T>): Promise<T> {
    await this.setPace(delayMs);
    try {
      return await work();
    } finally {
      await this.setPace(0);
    }
  }

  /** Sets the mean pause between two words of a reply, of running ones too. */
  async setPace(delayMs: number): Promise<void> {
    await this.#control('PUT', '/pacing', { delay_ms: delayMs });
  }

  /** Sets how long after its turn an artifact is still being made, of those that wait too. */
  async setArtifactDelay(delayMs: number): Promise<void> {
    await this.#control('PUT', '/pacing', { artifact_ms: delayMs });
  }

  /** The messages of a conversation as the upstream keeps them. */
  async messages(account: SandboxAccount, conversation: string): Promise<z.infer<typeof tree>['nodes']> {
    return tree.parse(await this.#web(account, 'GET', `/conversations/${conversation}`)).nodes;
  }

  /** Makes a project on the upstream's side. Returns its upstream id. */
  async makeProject(account: SandboxAccount, name: string): Promise<string> {
    return z.looseObject({ id: z.string() }).parse(await this.#web(account, 'POST', '/projects', { name })).id;
  }

  async #web({ id, password }: SandboxAccount, method: string, path: string, body?: unknown): Promise<unknown> {
    const url = `${this.#gateway().run.sandbox_url}/api`;
    const { token } = z.object({ token: z.string() }).parse(await send(`${url}/session`, 'POST', { account: id, password }));
    return send(url + path, method, body, token);
  }

  #control(method: string, path: string, body?: unknown): Promise<unknown> {
    return send(`${this.#gateway().run.sandbox_control_url}/control${path}`, method, body);
  }
}

async function send(url: string, method: string, body?: unknown, token?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
