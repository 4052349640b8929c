import { type Caller } from '@parley/kit/rpc/call';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { type BeginConnectFlowRequest } from '@parley/protos/routing/v1/connect_flow';
import { type ConnectFlow } from '@parley/protos/routing/v1/routing';
import { z } from 'zod';
import { startTestSandbox, type TestSandbox } from '../../../deploy/local/sandbox/testing/test-sandbox.ts';
import { type Running } from './fixture.ts';

export const PASSWORD = 'correct-horse-battery';

/** A real sandbox behind a proxy that can take it away. */
export interface SignInStage {
  sandbox: TestSandbox;
  proxy: FaultProxy;
  /** Of the proxy. */
  url: string;
  /** Makes an account that asks for a code by e-mail and for a second factor, unless `signIn` says otherwise. */
  account(signIn?: object | null): Promise<string>;
  close(): Promise<void>;
}

/** Starts the sandbox and its proxy. */
export async function openSignInStage(): Promise<SignInStage> {
  const sandbox = await startTestSandbox();
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) });
  let count = 0;
  return {
    sandbox,
    proxy,
    url: `http://127.0.0.1:${proxy.port}`,
    account: async (signIn = { one_time_code: true, second_factors: ['app', 'email'] }) => {
      const id = `person-${++count}`;
      await sandbox.control('POST', '/accounts', { id, label: id, password: PASSWORD, tier: 'plus', ...(signIn && { sign_in: signIn }) });
      return id;
    },
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
  };
}

/** A person in a browser who connects an account. */
export class Person {
  readonly caller: Caller;
  sessionId: string;
  /** The replica that gets the next call. */
  running: Running;
  flow: ConnectFlow | undefined;

  constructor(running: Running, caller: Caller, sessionId = 'session-1') {
    this.running = running;
    this.caller = caller;
    this.sessionId = sessionId;
  }

  get id(): string {
    return this.flow?.id ?? '';
  }

  get #init() {
    return { caller: this.caller, deadlineMs: 25_000 };
  }

  async begin(over: Partial<BeginConnectFlowRequest> = {}): Promise<ConnectFlow> {
    const request = {
      provider: over.connectionId ? '' : 'sandbox',
      label: '',
      connectionId: '',
      sessionId: this.sessionId,
      privateAddresses: true,
      ...over,
    };
    return (this.flow = await this.running.stub.beginConnectFlow(request, this.#init));
  }

  async answer(answers: Record<string, string>, over: { action?: string; step?: number } = {}): Promise<ConnectFlow> {
    const request = { id: this.id, sessionId: this.sessionId, answers, action: '', ...over };
    return (this.flow = await this.running.stub.answerConnectFlow(request, this.#init));
  }

  act(action: string): Promise<ConnectFlow> {
    return this.answer({}, { action });
  }

  /** How an answer is refused. */
  async refusal(
    answers: Record<string, string>,
    over: { action?: string; step?: number } = {},
  ): Promise<{ condition: string; message: string; param?: string }> {
    return this.answer(answers, over).then(
      () => ({ condition: '', message: '' }),
      (error: { condition: string; message: string; param?: string }) => error,
    );
  }

  look(): Promise<ConnectFlow> {
    return this.running.stub.getConnectFlow({ id: this.id, sessionId: this.sessionId }, this.#init);
  }

  cancel(): Promise<unknown> {
    return this.running.stub.cancelConnectFlow({ id: this.id, sessionId: this.sessionId }, this.#init);
  }
}

/** What an account shows its owner, and what it has open. */
export function newAccount({ sandbox }: SignInStage, account: string) {
  return {
    code: async () => (await sandbox.codes(account)).mails[0]?.code ?? '',
    app: async () => (await sandbox.codes(account)).app,
    open: async () => {
      const { sessions, challenges } = await sandbox.report(account);
      return { sessions, challenges };
    },
  };
}

/** A code that is not this one. */
export function otherCode(code: string): string {
  return String((z.coerce.number().parse(code) + 1) % 1_000_000).padStart(6, '0');
}
