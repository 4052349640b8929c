import { randomInt } from 'node:crypto';
import { access, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AdminTokenSource } from '../../cli/gateway/admin-token.ts';
import { BacklogReader } from '../measure/backlog.ts';
import { MODEL_NAMES } from '../mock/scripts.ts';
import { obtainBinary } from '../peers/debian.ts';
import { Child } from '../process/child.ts';
import { answers, freePort, until } from '../process/loopback.ts';
import { type ParleyRun, readRun, reportedTurns, TurnRecord } from '../verify/record.ts';
import { NotAvailable, type RunningTarget, type Site } from './target.ts';

const START = fileURLToPath(new URL('../../../bin/start.mjs', import.meta.url));
const MONITOR = new URL('../../../bench/hostile/event-loop-monitor.mjs', import.meta.url).href;
const EVENT_LOOP = 'event-loop.txt';
const READY_MS = 60_000;
const MODELS_MS = 30_000;
const STOP_MS = 45_000;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Starts the composition that `npm start` starts, with its own PostgreSQL and NATS and with the variables `changed`, and connects the mock as its one
 * account.
 */
export async function startParley(
  site: Site,
  topology: 'single' | 'separate',
  changed: Record<string, string> = {},
): Promise<RunningTarget> {
  await access(START).catch((cause: unknown) => {
    throw new NotAvailable('the composition (deploy/bin/start.mjs) is not there', { cause });
  });
  const dataDir = await mkdtemp(join(tmpdir(), `parley-bench-${topology}-`));
  // PostgreSQL runs as a user of its own when we are root and must reach its folder.
  await chmod(dataDir, 0o755);
  const [apiKey, operatorKey] = [randomKey(), randomKey()];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...environment(port, dataDir, topology, apiKey, operatorKey),
    ...(site.countsStatements === true && { PARLEY_POSTGRES_STATEMENTS: '1' }),
    ...(site.watchesEventLoop === true && { PARLEY_NODE_IMPORT: MONITOR, PARLEY_EVENT_LOOP_FILE: join(dataDir, EVENT_LOOP) }),
    PATH: await pathWithNats(site.cacheDir),
    ...changed,
  };
  const child = await Child.start(process.execPath, [START], { core: site.core, env });
  const stop = async (): Promise<void> => {
    await child.stop(STOP_MS);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    // The file says where its parts are; it is there once all is done that belongs to a start.
    const isUp = async () =>
      (await answers(`${url}/readyz`, (status) => status === 200)) &&
      (await access(join(dataDir, 'run.json')).then(
        () => true,
        () => false,
      ));
    const ready = await until(isUp, READY_MS, () => child.running);
    if (!ready) throw new NotAvailable(`not ready within ${READY_MS / 1000} s: ${child.lastWords}`);
    await connectMock(url, operatorKey, `${site.upstreamUrl}/v1`);
    await waitForModels(url, apiKey);
    const run = await readRun(dataDir);
    return running(url, apiKey, child, run, stop, topology, join(dataDir, EVENT_LOOP));
  } catch (error) {
    await stop();
    throw error;
  }
}

function running(
  url: string,
  apiKey: string,
  child: Child,
  run: ParleyRun,
  stop: () => Promise<void>,
  topology: 'single' | 'separate',
  eventLoopFile: string,
): RunningTarget {
  const record = new TurnRecord(run.databaseUrl, url, apiKey);
  return {
    url,
    headers: { Authorization: `Bearer ${apiKey}` },
    version: `Parley, ${topology === 'single' ? 'one process' : 'separate processes'}, with its PostgreSQL and NATS`,
    model: (name) => name,
    pids: () => [child.pid],
    verify: (expected) => record.verify(expected),
    rebase: () => record.rebase(),
    databaseUrl: run.databaseUrl,
    openBacklog: () => BacklogReader.open(run.databaseUrl, run.natsUrl, () => reportedTurns(url, apiKey)),
    eventLoopFile,
    stop,
  };
}

function environment(port: number, dataDir: string, topology: string, apiKey: string, operatorKey: string): Record<string, string> {
  return {
    PARLEY_PORT: String(port),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_API_KEY: apiKey,
    PARLEY_OPERATOR_KEY: operatorKey,
    PARLEY_TOPOLOGY: topology,
    PARLEY_SANDBOX_DELAY_MS: '0',
    // The throttle stays on and counts every request; only its limit is out of reach.
    PARLEY_THROTTLE_RATE_LIMIT: '10000000 per 1 minute',
    PARLEY_LOG_LEVEL: 'warn',
    // What is obtained in the background would be measured with the rest.
    PARLEY_POCKETSPHINX: 'none',
    PARLEY_EXAMPLE_ACTIONS: 'disabled',
    PARLEY_AUDIO_WORKERS: '4',
    PARLEY_AUDIO_DAILY_CHARACTERS: '2000000000',
  };
}

/** Every start has a data folder of its own; without this each one would obtain NATS anew. */
async function pathWithNats(cacheDir: string): Promise<string> {
  const path = process.env['PATH'] ?? '';
  // Where it cannot be had here, the composition tries by itself and says why it cannot.
  const nats = await obtainBinary('nats-server', cacheDir).catch(() => undefined);
  return nats ? `${dirname(nats.path)}:${path}` : path;
}

async function connectMock(url: string, operatorKey: string, baseUrl: string): Promise<void> {
  const token = await new AdminTokenSource(url, { kind: 'operator', operatorKey }).get();
  const connection = { provider: 'openai-compatible', label: 'bench', base_url: baseUrl, api_key: 'sk-bench', models: MODEL_NAMES };
  const response = await fetch(`${url}/admin/v1/connections`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(connection),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.status !== 201) throw new NotAvailable(`the mock could not be connected: status ${response.status} ${text.slice(0, 300)}`);
}

async function waitForModels(url: string, apiKey: string): Promise<void> {
  const listed = async (): Promise<boolean> => {
    const response = await fetch(`${url}/v1/models`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(5_000),
    });
    const text = await response.text();
    return response.ok && MODEL_NAMES.every((name) => text.includes(`"${name}"`));
  };
  if (!(await until(listed, MODELS_MS))) throw new NotAvailable('the mock is connected, but its models are not listed');
}

function randomKey(): string {
  return `gmk_live_${Array.from({ length: 43 }, () => BASE62[randomInt(BASE62.length)]).join('')}`;
}
