import { waitFor } from '@parley/kit/testing/wait-for';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForPort, waitForHttp } from '../../local/composition/wait-for-server.ts';
import { getFreePort } from '../../local/supervisor/ports.ts';
import { watchGateway } from './description/watch.ts';
import { type Gateway, START_MS } from './parley.ts';
import { familyOf } from './processes.ts';
import { runStart, type StartProcess } from './start-process.ts';

/** A started process and its address: `host:port` of a service, or the gateway through an edge. */
interface Started<Where> {
  at: Where;
  process: StartProcess;
}

type Env = Record<string, string>;
/** Addresses of services, by environment variable. */
type Addresses = Record<`PARLEY_${string}_ADDRESS`, string>;

/** Starts more processes that use the database, broker, keys and upstream of a gateway. */
export interface ExtraProcesses {
  /** Addresses of the gateway's services. */
  addresses: Addresses;
  /** What all of them get: among it the secrets of the gateway, by the names that the chart gives them. */
  environment: Env;
  /** At a free port, unless `own` has `PARLEY_LISTEN`. */
  service: (name: string, own?: Env) => Promise<Started<string>>;
  /** At a free port, unless `own` has `PARLEY_PORT`. */
  edge: (name: string, own?: Env) => Promise<Started<Gateway>>;
  /** Stops all of them. */
  stop: () => Promise<void>;
}

/** Prepares to start more processes for a gateway of topology `separate`; `env` is for all of them. */
export async function extraProcesses(gateway: Gateway, env: Env = {}): Promise<ExtraProcesses> {
  const addresses = await addressesOf(gateway);
  const common = {
    // No balancer is in front of an edge, unless a test brings one.
    PARLEY_LAME_DUCK: '0s',
    ...env,
    ...addresses,
    DATABASE_URL: gateway.run.database_url,
    NATS_URL: gateway.run.nats_url,
    PARLEY_SECRET_KEYS: (await readFile(join(gateway.dataDir, 'secrets', 'secret-keys'), 'utf8')).trim(),
    PARLEY_OPERATOR_KEY: gateway.operatorKey,
  };
  const started: StartProcess[] = [];
  let isStopped = false;
  const start = (entry: string, own: Env) => {
    // A test that is out of time may still be restarting one.
    if (isStopped) throw new Error('the processes beside the gateway were stopped');
    const process = runStart({ ...common, ...own }, [globalThis.process.execPath, entry]);
    started.push(process);
    return process;
  };
  return {
    addresses,
    environment: common,
    service: async (name, own) => {
      const at = own?.['PARLEY_LISTEN'] ?? `127.0.0.1:${await getFreePort()}`;
      const process = start(`deploy/dist/bundle/${name}.js`, { PARLEY_INSTANCE: `${name}-2`, ...own, PARLEY_LISTEN: at });
      await within(process, waitForPort(Number(at.split(':')[1])));
      return { at, process };
    },
    edge: async (name, own) => {
      const port = own?.['PARLEY_PORT'] ?? (await getFreePort());
      const url = `http://127.0.0.1:${port}`;
      const process = start('deploy/dist/bundle/edge.js', { ...own, PARLEY_PORT: String(port), PARLEY_INSTANCE: name });
      const isReady = waitForHttp(`${url}/readyz`, (status) => status === 200);
      await within(process, isReady);
      await watchGateway(url, gateway.operatorKey);
      return { at: { ...gateway, url }, process };
    },
    stop: async () => {
      isStopped = true;
      for (const process of started) process.signal('SIGTERM');
      await Promise.all(started.map(({ exited }) => exited));
    },
  };
}

/** Reads the addresses of a gateway's services from the environment of its edge. */
async function addressesOf(gateway: Gateway): Promise<Addresses> {
  const edge = familyOf(gateway.pid).find(({ commandLine }) => commandLine.includes('deploy/dist/bundle/edge.js'));
  const environment = (await readFile(`/proc/${edge?.pid}/environ`, 'utf8')).split('\0');
  const pairs = environment.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return Object.fromEntries(pairs.filter(([name]) => /^PARLEY_\w+_ADDRESS$/.test(name)));
}

async function within(process: StartProcess, ready: Promise<void>): Promise<void> {
  let isReady = false;
  let hasEnded = false;
  void ready.then(() => (isReady = true));
  void process.exited.then(() => (hasEnded = true));
  await waitFor(() => isReady || hasEnded, { timeoutMs: START_MS });
  if (!isReady) throw new Error(`a process beside the gateway did not start:\n${process.stdout()}${process.stderr()}`);
}
