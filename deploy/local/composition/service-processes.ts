import { join } from 'node:path';
import { getPocketsphinxFolder } from '../embedded/install-pocketsphinx.ts';
import { getFreePort } from '../supervisor/ports.ts';
import { type NodeProcessHandle } from '../supervisor/supervise-node-process.ts';
import { type SupervisedProcess } from '../supervisor/supervise.ts';
import { type CompositionContext } from './composition-context.ts';
import { startCompositionProcess } from './composition-process.ts';
import { waitForPort, waitForHttp } from './wait-for-server.ts';

/** Addresses of the servers that the services use. */
export interface BackingServices {
  databaseUrl: string;
  natsUrl: string;
  sandboxUrl: string;
}

/** URL of the metrics of each process, by its name; empty when metrics are off. */
export type MetricsUrls = Readonly<Record<string, string>>;

type Part = SupervisedProcess<NodeProcessHandle<void>>;

/** Drains take up to 30 s; then sockets and connections close. No lame-duck time, as no load balancer has to notice that the edge stops. */
const DRAIN = { PARLEY_DRAIN_TIMEOUT: '30s', PARLEY_LAME_DUCK: '0s' };
const STOP_MS = 58_000;

const SERVICES = [
  { name: 'conversation', variable: 'PARLEY_CONVERSATION_ADDRESS' },
  { name: 'usage', variable: 'PARLEY_USAGE_ADDRESS' },
  { name: 'chat-routing', variable: 'PARLEY_CHAT_ROUTING_ADDRESS' },
  { name: 'asset', variable: 'PARLEY_ASSET_ADDRESS' },
  { name: 'audio', variable: 'PARLEY_AUDIO_ADDRESS' },
  { name: 'actions', variable: 'PARLEY_ACTIONS_ADDRESS' },
] as const;

/** Starts the composition in one process. Calls `keep` with the started process, which must be stopped. */
export async function startSingleProcess(
  composition: CompositionContext,
  backing: BackingServices,
  keep: (part: Part) => void,
): Promise<MetricsUrls> {
  const metrics = await chooseMetrics(composition, ['parley']);
  const part = await startCompositionProcess(composition, {
    name: 'parley',
    entry: '../../bundle/single.js',
    env: { ...DRAIN, ...common(composition, backing), ...edgeEnv(composition), ...metrics.env('parley'), PARLEY_INSTANCE: 'parley' },
    waitUntilReady: () => waitForHttp(readyUrl(composition), (status) => status === 200),
    stopTimeoutMs: STOP_MS,
  });
  keep(part);
  return metrics.urls;
}

/** Starts a process for each service and one for the edge. Calls `keep` with the started processes, to be stopped in reverse order. */
export async function startSeparateProcesses(
  composition: CompositionContext,
  backing: BackingServices,
  keep: (part: Part) => void,
): Promise<MetricsUrls> {
  const metrics = await chooseMetrics(composition, ['edge', ...SERVICES.map(({ name }) => name)]);
  const ports = new Map(await Promise.all(SERVICES.map(async ({ name }) => [name, await getFreePort()] as const)));
  const addresses = Object.fromEntries(SERVICES.map(({ name, variable }) => [variable, `127.0.0.1:${ports.get(name)}`]));
  const starting = SERVICES.map(({ name }) =>
    startCompositionProcess(composition, {
      name,
      entry: `../../bundle/${name}.js`,
      env: {
        ...DRAIN,
        ...common(composition, backing),
        ...addresses,
        ...metrics.env(name),
        PARLEY_LISTEN: `127.0.0.1:${ports.get(name)}`,
        PARLEY_INSTANCE: name,
      },
      waitUntilReady: () => waitForPort(ports.get(name) ?? 0),
    }),
  );
  // A service that has started must be stopped, even if another one failed.
  for (const result of await Promise.allSettled(starting)) if (result.status === 'fulfilled') keep(result.value);
  await Promise.all(starting);
  const edge = await startCompositionProcess(composition, {
    name: 'edge',
    entry: '../../bundle/edge.js',
    env: {
      ...DRAIN,
      ...common(composition, backing),
      ...addresses,
      ...edgeEnv(composition),
      ...metrics.env('edge'),
      PARLEY_INSTANCE: 'edge',
    },
    waitUntilReady: () => waitForHttp(readyUrl(composition), (status) => status === 200),
    stopTimeoutMs: STOP_MS,
  });
  keep(edge);
  return metrics.urls;
}

/**
 * Chooses the addresses of the metrics listeners: one process has that of PARLEY_METRICS_LISTEN, several have its port and the following
 * ones. Without the variable they are free ports, so that two compositions never conflict.
 */
async function chooseMetrics({ settings }: CompositionContext, names: readonly string[]) {
  const given = settings.env['PARLEY_METRICS_LISTEN'];
  const isOff = given === 'off';
  const host = given ? given.slice(0, given.lastIndexOf(':')) : '127.0.0.1';
  const first = given ? Number(given.slice(given.lastIndexOf(':') + 1)) : 0;
  const ports = isOff ? [] : await Promise.all(names.map(async (_, index) => (first === 0 ? getFreePort() : first + index)));
  const addresses = new Map(ports.map((port, index) => [names[index], `${host}:${port}`]));
  return {
    urls: Object.fromEntries([...addresses].map(([name, address]) => [name, `http://${address}/metrics`])) as MetricsUrls,
    env: (name: string): Record<string, string> => ({ PARLEY_METRICS_LISTEN: addresses.get(name) ?? 'off' }),
  };
}

function readyUrl({ settings }: CompositionContext): string {
  return `http://127.0.0.1:${settings.port}/readyz`;
}

function common(
  { keys, settings, folder }: CompositionContext,
  { databaseUrl, natsUrl, sandboxUrl }: BackingServices,
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    PARLEY_SANDBOX_URL: sandboxUrl,
    PARLEY_SECRET_KEYS: keys.secretKeys,
    PARLEY_BLOB_STORE: settings.env['PARLEY_BLOB_STORE'] || folder.blobs,
    PARLEY_POCKETSPHINX: settings.env['PARLEY_POCKETSPHINX'] || getPocketsphinxFolder(folder.cache),
    PARLEY_AUDIO_SCRATCH: settings.env['PARLEY_AUDIO_SCRATCH'] || join(folder.root, 'recordings'),
    // The sandbox's tickets API is an example of an API that actions may call.
    PARLEY_ACTIONS_ALLOWED_HOSTS: settings.env['PARLEY_ACTIONS_ALLOWED_HOSTS'] || new URL(sandboxUrl).host,
    PARLEY_TOPOLOGY: settings.topology,
  };
}

function edgeEnv({ settings, keys }: CompositionContext): Record<string, string> {
  return {
    PARLEY_PORT: String(settings.port),
    PARLEY_OPERATOR_KEY: keys.operatorKey,
    // An empty variable counts as absent: a preset key must not be passed on to later runs.
    PARLEY_API_KEY: keys.apiKey ?? '',
  };
}
