import { randomUUID } from 'node:crypto';
import { Operator } from './operator.ts';
import { type Gateway } from './parley.ts';
import { type AccountReport, type FaultOrder, Sandbox, type SandboxAccount } from './sandbox.ts';

/** The providers that can talk to the sandbox upstream. */
export type Provider = 'sandbox' | 'openai-compatible' | 'openai-speech' | 'openai-transcription' | 'http-api';

/** An upstream account that a workspace is connected to. */
export interface Account extends SandboxAccount {
  connectionId: string;
  label: string;
  /** What the operator connects it with. */
  credentials: { password: string } | { api_key: string };
  /** Orders a fault for the next turn that reaches it. */
  order(order: FaultOrder): Promise<void>;
  /** Takes back what was ordered and has not happened. */
  clearFaults(): Promise<void>;
  report(): Promise<AccountReport>;
}

/** A workspace of its own: what happens in it disturbs no other test of the same gateway. */
export interface Tenant {
  workspaceId: string;
  userId: string;
  keyId: string;
  /** With the default scopes, chat and conversations. */
  apiKey: string;
  accounts: Account[];
}

/** Makes a workspace with a user, a key and one account for each provider named; `upstreamUrl` is another way to the sandbox. */
export async function makeTenant(
  gateway: () => Gateway,
  providers: readonly Provider[] = ['sandbox'],
  upstreamUrl?: string,
): Promise<Tenant> {
  const operator = new Operator(gateway);
  const workspaceId = await operator.createWorkspace('a tenant');
  const userId = await operator.createUser(workspaceId);
  const { id: keyId, key: apiKey } = await operator.createKey({ workspace_id: workspaceId, user_id: userId });
  const accounts: Account[] = [];
  for (const provider of providers) accounts.push(await connectAccount(gateway, workspaceId, provider, upstreamUrl));
  return { workspaceId, userId, keyId, apiKey, accounts };
}

/** Makes an account upstream and connects a workspace to it. */
export async function connectAccount(
  gateway: () => Gateway,
  workspaceId: string,
  provider: Provider,
  upstreamUrl?: string,
): Promise<Account> {
  const sandbox = new Sandbox(gateway);
  const id = `acc-${randomUUID()}`;
  const account = { id, password: `password of ${id}`, apiKey: `sk-${id}` };
  await sandbox.putAccount(account);
  const label = `${provider} ${id.slice(-6)}`.replace(' ', '-');
  const url = upstreamUrl ?? gateway().run.sandbox_url;
  const credentials = provider === 'sandbox' ? { password: account.password } : { api_key: account.apiKey };
  // An account upstream has tickets of its own, which steps of actions reach over a connection to that API.
  const path = provider === 'http-api' ? '/tickets' : '/v1';
  const where = provider === 'sandbox' ? { base_url: url, account: id } : { base_url: url + path };
  const { id: connectionId } = await new Operator(gateway).connect({
    provider,
    label,
    workspace_id: workspaceId,
    ...where,
    ...credentials,
  });
  const control = {
    order: (order: FaultOrder) => sandbox.order(id, order),
    clearFaults: () => sandbox.clearFaults(id),
    report: () => sandbox.report(id),
  };
  return { ...account, ...control, connectionId, label, credentials };
}

/** The only account of a tenant. */
export function onlyAccount({ accounts }: Tenant): Account {
  const [account] = accounts;
  if (!account) throw new Error('the tenant has no account');
  return account;
}
