import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Answer } from './http.ts';
import { type Gateway } from './parley.ts';
import { makePerson, type Person } from './person.ts';
import { Sandbox } from './sandbox.ts';

const flow = z.object({
  id: z.string(),
  status: z.string(),
  connection_id: z.string().nullable(),
  step: z.object({ number: z.int(), kind: z.string(), tries_left: z.int() }).nullable(),
  connection: z.looseObject({ id: z.string(), label: z.string(), status: z.string() }).nullable(),
});

/** A flow as it is answered. */
export type Flow = z.infer<typeof flow>;

/** Where the owner of an account reads its codes. */
type Devices = { mail: () => Promise<string>; app: () => Promise<string> };

/** An account of the sandbox, and who connects it for which workspace. */
interface ConnectingFacts {
  workspaceId: string;
  person: Person;
  account: string;
  password: string;
  devices: Devices;
}

/** The admin of a workspace who connects an account of the sandbox, which asks for a code and a second factor. */
export class Connecting {
  readonly #workspaceId: string;
  readonly #devices: Devices;
  readonly person: Person;
  readonly account: string;
  readonly password: string;

  private constructor({ workspaceId, person, account, password, devices }: ConnectingFacts) {
    this.#workspaceId = workspaceId;
    this.#devices = devices;
    this.person = person;
    this.account = account;
    this.password = password;
  }

  /** Makes the person and the account upstream. */
  static async prepare(gateway: () => Gateway, workspaceId: string): Promise<Connecting> {
    const sandbox = new Sandbox(gateway);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    const [id, password] = [`acc-${randomUUID()}`, 'correct-horse-battery'];
    await sandbox.putAccount({ id, password, apiKey: `sk-${id}`, signIn: { one_time_code: true, second_factors: ['app', 'email'] } });
    const devices = { mail: () => sandbox.mailedCode(id), app: () => sandbox.appCode(id) };
    return new Connecting({ workspaceId, person, account: id, password, devices });
  }

  /** The account that is there for people who try it out; its codes are read as they read them. */
  static async ofCarol(gateway: () => Gateway, workspaceId: string): Promise<Connecting> {
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'admin' } });
    const [account, password] = ['carol', 'sandbox-carol'];
    const read = async (pattern: RegExp) => {
      const headers = { authorization: `Basic ${btoa(`${account}:${password}`)}` };
      const text = await (await fetch(`${gateway().run.sandbox_url}/devices`, { headers })).text();
      return pattern.exec(text)?.[1] ?? '';
    };
    const devices = { mail: () => read(/code: (\d{6})/), app: () => read(/app: (\d{6})/) };
    return new Connecting({ workspaceId, person, account, password, devices });
  }

  begin(what: { provider?: string; label?: string; connection_id?: string } = { provider: 'sandbox' }): Promise<Answer> {
    return this.person.call('POST', '/me/v1/connections/flows', { body: { workspace_id: this.#workspaceId, ...what } });
  }

  answer({ id, step }: Flow, answers: Record<string, string>, by = this.person): Promise<Answer> {
    return by.call('POST', this.path(id), { body: { step: step?.number ?? 0, answers } });
  }

  path(id: string): string {
    return `/me/v1/connections/flows/${id}?workspace_id=${this.#workspaceId}`;
  }

  /** Answers every step as the owner of the account can; gives the kinds of the steps, and how it ended. */
  async finish(begun: Flow): Promise<{ kinds: (string | undefined)[]; done: Flow }> {
    const login = toFlow(await this.answer(begun, { account: this.account, password: this.password }));
    const choice = toFlow(await this.answer(login, { code: await this.#devices.mail() }));
    const factor = toFlow(await this.answer(choice, { factor: 'app' }));
    const done = toFlow(await this.answer(factor, { code: await this.#devices.app() }));
    return { kinds: [begun, login, choice, factor, done].map(({ step }) => step?.kind), done };
  }
}

/** The flow in an answer. */
export function toFlow(answer: Answer): Flow {
  return flow.parse(answer.json);
}
