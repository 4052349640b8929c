import { type Logger } from '../log/logger.ts';
import { maskSecrets } from '../log/mask-secrets.ts';
import { readTelemetryConfig, startTelemetry } from '../telemetry/telemetry.ts';

/** A running service: disposing stops it; `drain` lets work in progress finish first. */
export interface RunningService extends AsyncDisposable {
  /** Rejects new work and resolves when the work in progress has finished. */
  drain?(): Promise<void>;
  /** Timeout of `drain` in milliseconds, when it is configurable. @default `drainMs` of RunServiceOptions */
  drainMs?: number;
}

/** How `runService` starts and stops a service. */
export interface RunServiceOptions {
  /** Name of the service, in messages. */
  name: string;
  /** Starts the service. The signal aborts when the process receives a stop signal before this resolves. */
  start: (signal: AbortSignal) => Promise<RunningService>;
  log: Logger;
  /** Called instead of `start` when `PARLEY_MIGRATE` is `only`. */
  migrate?: () => Promise<void>;
  /** Timeout of `drain` in milliseconds, for a service without its own `drainMs`. @default 55000 */
  drainMs?: number;
}

const DISPOSE_MS = 4_000;

/**
 * Runs a service for the life of the process and sets its exit code: 0 after SIGTERM, SIGINT or the loss of an IPC parent (drain,
 * dispose) and after migrating only, 1 with one line on stderr when it cannot start, 1 after an uncaught error, 1 at once on a second signal.
 */
export async function runService({ name, start, log, migrate, drainMs = 55_000 }: RunServiceOptions): Promise<void> {
  const stopping = new AbortController();
  listen(name, log, stopping);
  let service: RunningService;
  let telemetry: AsyncDisposable;
  try {
    if (migrate && process.env['PARLEY_MIGRATE']?.trim() === 'only') {
      await migrate();
      return exit(0);
    }
    telemetry = await startTelemetry(readTelemetryConfig(process.env), { name, log });
    service = await unlessStopped(start(stopping.signal), stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return exit(0);
    process.stderr.write(`${name}: cannot start: ${oneLine(error)}\n`);
    return exit(1);
  }
  await stopped(stopping.signal);
  log.info({ reason: String(stopping.signal.reason) }, 'stopping');
  exit(await stop(service, telemetry, log, drainMs));
}

/**
 * Stops the process gracefully on signals and when the parent exits; exits at once after an uncaught error, as the state may be
 * inconsistent.
 */
function listen(name: string, log: Logger, stopping: AbortController): void {
  const supervised = process.connected === true;
  const onSignal = (signal: NodeJS.Signals) => {
    // Ctrl-C reaches every process of the terminal; under a supervisor the supervisor decides.
    if (supervised && signal === 'SIGINT') return;
    if (stopping.signal.aborted) exit(1);
    stopping.abort(signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (supervised) process.on('disconnect', () => stopping.abort('the parent process has gone'));
  const onFatal = (err: unknown) => {
    log.fatal({ err }, 'uncaught error');
    process.stderr.write(`${name}: ${oneLine(err)}\n`);
    exit(1);
  };
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', onFatal);
}

/**
 * Rejects when the signal aborts, so that a start that waits for a schema or a database does not delay the exit. An interrupted start is
 * like a crash, which every service survives.
 */
function unlessStopped<T>(starting: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }));
  return Promise.race([starting, aborted]);
}

async function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  // A pending promise does not keep the process alive; the service's sockets normally do, but a consumer may have none for a while.
  const alive = setInterval(() => undefined, 60_000);
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  clearInterval(alive);
}

/** Drains and disposes of the service. Returns the exit code: 1 when a step failed; 0 also when a step did not finish in time. */
async function stop(service: RunningService, telemetry: AsyncDisposable, log: Logger, drainMs: number): Promise<number> {
  let code = 0;
  const step = async (step: string, ms: number, work: () => PromiseLike<void> | undefined) => {
    try {
      if ((await within(ms, work())) === 'late') log.warn({ step, ms }, 'did not finish in time');
    } catch (err) {
      log.error({ err, step }, 'stopping failed');
      code = 1;
    }
  };
  await step('drain', service.drainMs ?? drainMs, () => service.drain?.());
  await step('dispose', DISPOSE_MS, () => service[Symbol.asyncDispose]());
  await step('telemetry', DISPOSE_MS, () => telemetry[Symbol.asyncDispose]());
  log.info({ code }, 'stopped');
  return code;
}

async function within(ms: number, work: PromiseLike<void> | undefined): Promise<'done' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, ms, 'late')));
  try {
    return await Promise.race([Promise.resolve(work).then(() => 'done' as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return maskSecrets(text).replaceAll(/\s*\n\s*/g, ' ');
}

/** Not `process.exitCode`: an open socket must not keep a stopped service alive. Pino flushes on exit. */
function exit(code: number): never {
  process.exit(code);
}
