import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { DEFAULT_WORKSPACE_ID, SANDBOX_ACCOUNTS } from '@parley/protos/bootstrap';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionProvider } from '../providers/provider.ts';
import { changeConnection, insertConnection } from '../store/connections.ts';
import { type Store } from '../store/store.ts';
import { type ConnectionRegistry } from './connection-registry.ts';

/** Dependencies of `connectSandbox`. */
export interface SandboxDeps {
  connections: ConnectionRegistry;
  store: Store;
  provider: ConnectionProvider;
  /** Names of the chat providers, among whose connections one is the default. */
  chatProviders: readonly string[];
  secrets: SecretBox;
  log: Logger;
}

const RETRY_MS = 1_000;

/**
 * Connects the default workspace to the accounts of the embedded sandbox at every start, because its address changes and its sessions may
 * be lost. Leaves connections alone that an operator deleted or pointed to another host. Retries until the sandbox answers or `signal`
 * aborts.
 */
export async function connectSandbox(deps: SandboxDeps, baseUrl: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await connectAll(deps, baseUrl);
    } catch (err) {
      if (signal.aborted) return;
      deps.log.warn({ err }, 'the sandbox is not there yet; trying again');
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}

async function connectAll({ connections, store, provider, chatProviders, secrets, log }: SandboxDeps, baseUrl: string): Promise<void> {
  const known = (await connections.reload(DEFAULT_WORKSPACE_ID)).filter(({ row }) => row.provider === 'sandbox');
  for (const { label, account, password } of SANDBOX_ACCOUNTS) {
    const existing = known.find(({ row }) => row.account === account);
    if (existing ? toHost(existing.row.baseUrl) !== toHost(baseUrl) : known.length > 0) continue;
    const id = existing?.id ?? uuidv7();
    const { secret, models } = await provider.connect({ id, baseUrl, account, secret: password });
    const sealed = secrets.seal(id, secret);
    if (existing)
      await changeConnection(store.database, { workspaceId: DEFAULT_WORKSPACE_ID, id }, { baseUrl, secret: sealed, models }, chatProviders);
    else {
      const isDefault = known.length === 0 && label === SANDBOX_ACCOUNTS[0].label;
      const row = {
        id,
        workspaceId: DEFAULT_WORKSPACE_ID,
        label,
        provider: 'sandbox',
        baseUrl,
        account,
        secret: sealed,
        models,
        modelsNamed: false,
        pass: [],
        defaultModel: '',
        aliases: {},
      };
      await insertConnection(store.database, { ...row, maxConcurrency: null, isDefault }, chatProviders);
    }
    await connections.reloadAndNotify(DEFAULT_WORKSPACE_ID);
    connections.health.recordSuccessfulTest(await connections.getChat(DEFAULT_WORKSPACE_ID, id), true);
  }
  log.info({ accounts: SANDBOX_ACCOUNTS.length }, 'sandbox accounts connected');
}

function toHost(url: string): string {
  return new URL(url).hostname;
}
