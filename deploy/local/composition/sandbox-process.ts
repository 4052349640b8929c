import { SANDBOX_ACCOUNTS } from '@parley/protos/bootstrap';
import { join } from 'node:path';
import { getFreePort, getPersistentPort } from '../supervisor/ports.ts';
import { type NodeProcessHandle } from '../supervisor/supervise-node-process.ts';
import { type SupervisedProcess } from '../supervisor/supervise.ts';
import { type CompositionContext } from './composition-context.ts';
import { startCompositionProcess } from './composition-process.ts';
import { waitForHttp } from './wait-for-server.ts';

/** The running sandbox upstream. */
export interface SandboxProcess {
  url: string;
  controlUrl: string | undefined;
  process: SupervisedProcess<NodeProcessHandle<void>>;
}

/**
 * A sandbox account without a connection: a user can connect it, with a code by e-mail and a second factor. Its password is no secret, like
 * those of the others.
 */
const DEMO_ACCOUNT = {
  ...{ label: 'sandbox-c', account: 'carol', password: 'sandbox-carol', tier: 'plus' },
  sign_in: { one_time_code: true, second_factors: ['app', 'email'] },
} as const;

/** Lifetime of the embedded accounts' sessions: they must not expire, as no user would log in again. */
const SESSION_MS = 365 * 24 * 3_600_000;

/** Starts the sandbox upstream with the accounts that the default workspace is connected to. */
export async function startSandboxProcess(composition: CompositionContext): Promise<SandboxProcess> {
  const dataDir = join(composition.folder.root, 'sandbox');
  // Published actions and connections contain the port, so it must stay the same after a restart.
  const port = await getPersistentPort(join(dataDir, 'port'));
  const controlPort = await getFreePort();
  const { sandboxDelayMs, sandboxControl } = composition.settings;
  const accounts = [...SANDBOX_ACCOUNTS, DEMO_ACCOUNT].map(({ account, ...facts }) => ({
    id: account,
    ...facts,
    api_key: `sk-${account}`,
    session_ttl_ms: SESSION_MS,
  }));
  const url = `http://127.0.0.1:${port}`;
  const process = await startCompositionProcess(composition, {
    name: 'sandbox',
    entry: '../../bundle/sandbox.js',
    env: {
      PARLEY_SANDBOX_PORT: String(port),
      PARLEY_SANDBOX_DATA_DIR: dataDir,
      PARLEY_SANDBOX_ACCOUNTS: JSON.stringify(accounts),
      ...(sandboxDelayMs === undefined ? {} : { PARLEY_SANDBOX_DELAY_MS: String(sandboxDelayMs) }),
      ...(sandboxControl ? { PARLEY_SANDBOX_CONTROL: '1', PARLEY_SANDBOX_CONTROL_PORT: String(controlPort) } : {}),
    },
    waitUntilReady: () => waitForHttp(`${url}/`),
    stopTimeoutMs: 5_000,
  });
  return { url, controlUrl: sandboxControl ? `http://127.0.0.1:${controlPort}` : undefined, process };
}
