import { createLogger } from '@parley/kit/log/logger';
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findNats } from '../embedded/find-nats.ts';
import { installPocketsphinx } from '../embedded/install-pocketsphinx.ts';
import { startNats } from '../embedded/nats.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { type DataDir, openDataDir } from '../supervisor/data-dir.ts';
import { getFreePort } from '../supervisor/ports.ts';
import { type RunningProcess } from '../supervisor/running-process.ts';
import { StartError } from '../supervisor/start-error.ts';
import { supervise } from '../supervisor/supervise.ts';
import { type CompositionContext } from './composition-context.ts';
import { loadGatewayKeys } from './gateway-keys.ts';
import { OutputSink } from './output-sink.ts';
import { publishExampleActions } from './publish-example-actions.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { type BackingServices, startSeparateProcesses, startSingleProcess } from './service-processes.ts';
import { type LocalSettings } from './settings.ts';
import { makeSetupLink } from './setup-link.ts';
import { type StartReporter } from './start-reporter.ts';

/** A running gateway. */
export interface RunningGateway {
  url: string;
  /** Absolute path of its data folder. */
  dataDir: string;
  /** The API key that this start has created, to be shown once; undefined on later starts. */
  newApiKey: string | undefined;
  /** URL that creates the first owner; undefined when there is an owner. */
  setupLink: string | undefined;
  logFile: string;
  /** Drains and stops every process, in an order that loses no work. */
  stop(): Promise<void>;
}

type Stoppable = { stop(): Promise<unknown> };

/**
 * Starts PostgreSQL, NATS, the sandbox upstream, the services and the edge, and keeps them running.
 * @throws StartError with one line that describes what failed
 */
export async function startParley(settings: LocalSettings, report: StartReporter, signal: AbortSignal): Promise<RunningGateway> {
  const folder = await openDataDir(settings.dataDir);
  const started: Stoppable[] = [{ stop: () => folder.release() }];
  const stop = async () => {
    for (const part of started.splice(0).reverse()) await part.stop();
  };
  try {
    const port = settings.port === 0 ? await getFreePort() : settings.port;
    await requireFreePort(port);
    const logFile = join(folder.logs, 'parley.log');
    const output = await OutputSink.open(logFile, (line) => report.printLine(line));
    started.push({ stop: () => output.close() });
    const destination = { write: (line: string) => output.writeLine('local', line.trimEnd(), 'stdout') };
    const log = createLogger({ service: 'local', level: settings.logLevel, destination });
    const keys = await loadGatewayKeys(folder, settings);
    const composition: CompositionContext = { settings: { ...settings, port }, folder, keys, log, output };

    report.step(backingStep(settings, folder));
    const [databaseUrl, natsUrl] = await both(startDatabase(composition, started, signal), startBroker(composition, started, signal));
    report.step('Starting the sandbox, which answers until a connection is added');
    const sandbox = await startSandboxProcess(composition);
    started.push(sandbox.process);
    const backing: BackingServices = { databaseUrl, natsUrl, sandboxUrl: sandbox.url };
    report.step(settings.topology === 'single' ? 'Starting the gateway' : 'Starting the services and the edge');
    // Processes are stopped in reverse order: the edge first, then the services that it calls, then the servers that they use.
    const start = settings.topology === 'single' ? startSingleProcess : startSeparateProcesses;
    const metricsUrls = await start(composition, backing, (part) => started.push(part));
    started.push(obtainPocketsphinx(composition));

    const url = `http://127.0.0.1:${port}`;
    // Before run.json is written: a link that is requested later replaces this one.
    const setupLink = await makeSetupLink(composition, url);
    const runFile = join(folder.root, 'run.json');
    const facts = {
      pid: process.pid,
      url,
      topology: settings.topology,
      database_url: databaseUrl,
      nats_url: natsUrl,
      sandbox_url: sandbox.url,
      sandbox_control_url: sandbox.controlUrl,
      metrics_urls: metricsUrls,
      blob_store: settings.env['PARLEY_BLOB_STORE'] || folder.blobs,
    };
    await writeFile(runFile, `${JSON.stringify(facts, undefined, 2)}\n`, { mode: 0o600 });
    started.push({ stop: () => rm(runFile, { force: true }) });
    if (settings.exampleActions) await publishExampleActions(composition, { url, sandboxUrl: sandbox.url }, report);
    if (keys.apiKey) await keys.markApiKeyShown();
    return { url, setupLink, newApiKey: keys.isNew ? keys.apiKey : undefined, dataDir: folder.root, logFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function backingStep({ databaseUrl, natsUrl }: LocalSettings, { postgres, nats }: DataDir): string {
  if (databaseUrl && natsUrl) return 'Using the given PostgreSQL and NATS';
  if (databaseUrl) return 'Starting NATS';
  const servers = natsUrl ? 'PostgreSQL' : 'PostgreSQL and NATS';
  const isFirst = readdirSync(postgres).length === 0 && readdirSync(nats).length === 0;
  return isFirst ? `Creating the database and starting ${servers} (the first start takes longer)` : `Starting ${servers}`;
}

async function startDatabase({ settings, folder, log }: CompositionContext, started: Stoppable[], signal: AbortSignal): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl;
  const port = await getFreePort();
  // Counts statements, for measurements.
  const countsStatements = settings.env['PARLEY_POSTGRES_STATEMENTS'] === '1';
  const start = (stopped: AbortSignal) =>
    startPostgres({ dataDir: folder.postgres, port, log, countsStatements, signal: AbortSignal.any([signal, stopped]) });
  return keep('postgres', start, log, started);
}

async function startBroker({ settings, folder, log }: CompositionContext, started: Stoppable[], signal: AbortSignal): Promise<string> {
  if (settings.natsUrl) return settings.natsUrl;
  await findNats({ cacheDir: folder.cache, env: settings.env, log });
  const port = await getFreePort();
  const start = (stopped: AbortSignal) =>
    startNats({ dataDir: folder.nats, cacheDir: folder.cache, env: settings.env, port, log, signal: AbortSignal.any([signal, stopped]) });
  return keep('nats', start, log, started);
}

/** Installs pocketsphinx in the background; the audio service uses it when it is installed. */
function obtainPocketsphinx({ settings, folder, log }: CompositionContext): Stoppable {
  // An engine that the settings specify is installed by the operator.
  if (settings.env['PARLEY_POCKETSPHINX']) return { stop: () => Promise.resolve() };
  const abort = new AbortController();
  const found = installPocketsphinx({ cacheDir: folder.cache, env: settings.env, log, signal: abort.signal }).then((reason) => {
    if (reason && !abort.signal.aborted)
      log.warn({ part: 'pocketsphinx', reason }, 'there is no engine for transcription; install pocketsphinx');
  });
  return {
    stop: () => {
      abort.abort();
      return found;
    },
  };
}

async function keep<H extends RunningProcess & { url: string }>(
  name: string,
  start: (stopped: AbortSignal) => Promise<H>,
  log: CompositionContext['log'],
  started: Stoppable[],
): Promise<string> {
  const part = await supervise({ name, start, log });
  started.push(part);
  if (!part.current) throw new StartError(`${name} ended right after it had started`);
  return part.current.url;
}

/**
 * Resolves with both results, or rejects with the first failure once both have settled: a process that starts late must be known, to be
 * stopped.
 */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

function requireFreePort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is in use; set PARLEY_PORT to another one' : `cannot be used (${cause.code})`;
      reject(new StartError(`port ${port} ${reason}`, { cause }));
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve()));
  });
}
