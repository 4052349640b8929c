import { ask, said, type Turn } from '../harness/chat.ts';
import { type Judged } from '../harness/expectations.ts';
import { type Answer, call, type Request } from '../harness/http.ts';
import { Operator } from '../harness/operator.ts';
import { type Gateway } from '../harness/parley.ts';
import { createProject } from '../harness/projects.ts';
import { type FaultOrder } from '../harness/sandbox.ts';
import { type Account, makeTenant, onlyAccount, type Provider, type Tenant } from '../harness/tenant.ts';
import { type LocalFile, upload } from '../harness/upload.ts';
import { type Provoke } from './row.ts';

/** A workspace of one row of the error tables, with the calls that cause an error in it. */
export interface ErrorContext {
  gateway: Gateway;
  operator: Operator;
  tenant: Tenant;
  /** With every scope but those for actions. */
  key: string;
  /** The only account. */
  account: () => Account;
  /** A turn. */
  chat: (turn?: Turn) => Promise<Answer>;
  /** Any operation. */
  send: (method: string, path: string, request?: Request) => Promise<Answer>;
  /** A form with a file. */
  upload: (path: string, file: LocalFile) => Promise<Answer>;
  /** The next use of the account meets a fault. */
  fault: (fault: FaultOrder['fault'], order?: Omit<FaultOrder, 'fault'>) => Promise<void>;
  /** Begins a conversation; gives its id. */
  begin: (say?: string) => Promise<string>;
  /** Makes a project; gives its id and slug. */
  project: (name?: string) => Promise<{ id: string; slug: string }>;
  /** Makes another key of the same user. */
  anotherKey: (fields?: Parameters<Operator['createKey']>[0]) => Promise<string>;
}

const SCOPES = ['chat', 'conversations', 'audio'];

/** Provokes in a workspace of its own, so that no row finds what another has left. */
export function inATenant(
  provoke: (context: ErrorContext) => Promise<Judged>,
  providers?: readonly Provider[],
  upstreamUrl?: string,
): Provoke {
  return async (gateway) => provoke(await makeErrorContext(gateway, await makeTenant(() => gateway, providers, upstreamUrl)));
}

async function makeErrorContext(gateway: Gateway, tenant: Tenant): Promise<ErrorContext> {
  const operator = new Operator(() => gateway);
  const anotherKey: ErrorContext['anotherKey'] = async (fields) =>
    (await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, scopes: SCOPES, ...fields })).key;
  const key = await anotherKey();
  const chat: ErrorContext['chat'] = (turn) => ask(gateway, { key, ...turn });
  return {
    ...{ gateway, operator, tenant, key, anotherKey, chat },
    account: () => onlyAccount(tenant),
    send: (method, path, request) => call(gateway, method, path, { key, ...request }),
    upload: (path, file) => upload({ gateway, key }, path, file),
    fault: (fault, order) => onlyAccount(tenant).order({ fault, ...order }),
    begin: async (say) => said(await chat(say === undefined ? {} : { say })).conversation,
    project: (name = 'Doors') => createProject({ gateway, key }, { name }),
  };
}
