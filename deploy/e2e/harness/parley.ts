import { waitFor } from '@parley/kit/testing/wait-for';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { watchGateway } from './description/watch.ts';
import { familyOf, nothingLeft, type Sighting } from './processes.ts';
import { type Exit, runStart, type StartProcess } from './start-process.ts';

/** How the gateway is put together. */
export type Topology = 'single' | 'separate';

/** What a test asks for. */
export interface StartOptions {
  /** @default 'single' */
  topology?: Topology;
  env?: Record<string, string>;
  /** @default a new one */
  dataDir?: string;
  /** False: the first run makes its key and shows it. @default true */
  presetKey?: boolean;
  /** The key an earlier run on the data folder made: a later one does not show it. */
  knownKey?: string;
  /** What `npm start` runs. @default that of this checkout */
  startScript?: string;
}

const runFacts = z.object({
  pid: z.int(),
  url: z.url(),
  topology: z.enum(['single', 'separate']),
  database_url: z.string(),
  nats_url: z.string(),
  sandbox_url: z.url(),
  sandbox_control_url: z.url(),
  metrics_urls: z.record(z.string(), z.url()),
});

/** A whole gateway that answers. */
export interface Gateway {
  readonly url: string;
  /** The bootstrap key, with every scope. */
  readonly apiKey: string;
  readonly operatorKey: string;
  readonly dataDir: string;
  /** What run.json says. */
  readonly run: z.infer<typeof runFacts>;
  readonly pid: number;
  /** What the terminal shows. */
  output(): string;
  /** What stands in the log file. */
  log(): Promise<string>;
  /** The processes of the gateway at this moment. */
  family(): Sighting[];
}

/** A gateway that belongs to one test file, which may stop it. */
export interface Parley extends Gateway {
  readonly exited: Promise<Exit>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM (or another signal), then waits for the end and that nothing is left running. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** Starts again on the same data folder, after a stop if need be. */
  restart(options?: Omit<StartOptions, 'dataDir'>): Promise<Parley>;
  /** Stops what runs and deletes the data folder. */
  dispose(): Promise<void>;
}

/** Time a start may take on a busy machine. */
export const START_MS = 120_000;
/** Time a stop may take, a drain of 58 seconds among it. */
export const STOP_MS = 120_000;

/** A new API key, as an operator may preset it. */
export function randomKey(): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return `gmk_live_${Array.from(randomBytes(43), (byte) => letters[byte % 62]).join('')}`;
}

/** The environment that a composition starts with. */
export function startEnvironment(options: StartOptions, dataDir: string): Record<string, string> {
  return {
    PARLEY_TOPOLOGY: options.topology ?? 'single',
    PARLEY_PORT: '0',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_SANDBOX_DELAY_MS: '0',
    PARLEY_SANDBOX_CONTROL: '1',
    // Tests publish their own; those of the examples enable them.
    PARLEY_EXAMPLE_ACTIONS: 'disabled',
    // Not every gateway of a test needs an engine of 30 MB; those that do say where one is.
    PARLEY_POCKETSPHINX: process.env['PARLEY_POCKETSPHINX'] ?? 'none',
    // What is installed on a machine must not change what a test sees.
    PARLEY_ESPEAK: 'none',
    PARLEY_OPERATOR_KEY: `operator-${randomBytes(16).toString('hex')}`,
    ...(options.presetKey !== false && { PARLEY_API_KEY: randomKey() }),
    ...options.env,
  };
}

/** Starts a Parley and waits until it is ready. Throws with what the terminal showed when it is not within a minute. */
export async function startParley(options: StartOptions = {}): Promise<Parley> {
  const dataDir = options.dataDir ?? (await makeDataDir({ database: options.env?.['DATABASE_URL'] === undefined }));
  const env = startEnvironment(options, dataDir);
  const started = runStart(env, options.startScript === undefined ? undefined : [process.execPath, options.startScript]);
  await ready(started, dataDir);
  const run = await readRunFacts(dataDir);
  const apiKey = env['PARLEY_API_KEY'] ?? /gmk_live_[0-9A-Za-z]+/.exec(started.stdout())?.[0] ?? options.knownKey ?? '';
  const operatorKey = env['PARLEY_OPERATOR_KEY'] ?? '';
  // Another version may describe itself otherwise.
  if (options.startScript === undefined) await watchGateway(run.url, operatorKey);
  return gateway(started, options, { dataDir, run, apiKey, operatorKey });
}

/** What a running composition says about itself. */
export async function readRunFacts(dataDir: string): Promise<Gateway['run']> {
  return runFacts.parse(JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')));
}

async function ready(started: StartProcess, dataDir: string): Promise<void> {
  const isReady = () => started.stdout().includes('Parley is ready.');
  let ended: Exit | undefined;
  void started.exited.then((exit) => (ended = exit));
  await waitFor(() => isReady() || ended, { timeoutMs: START_MS, everyMs: 50 }).catch(() => undefined);
  if (isReady() && !ended) return;
  const family = familyOf(started.pid);
  started.signal('SIGTERM');
  await started.exited;
  await nothingLeft(family, dataDir, STOP_MS);
  throw new Error(
    `Parley did not become ready (${ended ? `exit code ${ended.code}` : 'in time'}):\n${started.stdout()}${started.stderr()}`,
  );
}

type Facts = Pick<Parley, 'dataDir' | 'run' | 'apiKey' | 'operatorKey'>;

function gateway(started: StartProcess, options: StartOptions, facts: Facts): Parley {
  let current: Parley | undefined;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> => {
    const family = familyOf(started.pid);
    started.signal(signal);
    const exit = await started.exited;
    await nothingLeft(family, facts.dataDir, signal === 'SIGKILL' ? 60_000 : 8_000);
    return exit;
  };
  const parley: Parley = {
    ...facts,
    url: facts.run.url,
    pid: started.pid,
    exited: started.exited,
    output: () => started.stdout() + started.stderr(),
    log: () => readFile(join(facts.dataDir, 'logs', 'parley.log'), 'utf8'),
    signal: (name) => started.signal(name),
    family: () => familyOf(started.pid),
    stop,
    restart: async (changes = {}) => {
      await stop();
      const kept = { PARLEY_OPERATOR_KEY: facts.operatorKey, ...(options.presetKey !== false && { PARLEY_API_KEY: facts.apiKey }) };
      const env = { ...options.env, ...kept, ...changes.env };
      return (current = await startParley({ ...options, ...changes, dataDir: facts.dataDir, knownKey: facts.apiKey, env }));
    },
    dispose: async () => {
      await (current ? current.dispose() : stop());
      await removeDataDir(facts.dataDir);
    },
  };
  return parley;
}
