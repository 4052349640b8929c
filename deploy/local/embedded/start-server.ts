import { type SpawnOptions } from 'node:child_process';
import { guardAgainstOrphan } from '../supervisor/guard-against-orphan.ts';
import { type LogFile, openLogFile } from '../supervisor/log-file.ts';
import { pollUntil } from '../supervisor/poll-until.ts';
import { type ProcessExit, type RunningProcess } from '../supervisor/running-process.ts';
import { type SpawnedProcess, spawnProcess, type StopStep } from '../supervisor/spawn-process.ts';
import { StartError } from '../supervisor/start-error.ts';

/** A server program, and how to detect that it is ready. */
export interface ServerOptions {
  /** Name in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly spawnOptions: SpawnOptions;
  readonly stopSteps: readonly StopStep[];
  /** File for stdout and stderr; its size is limited. */
  readonly logFile: string;
  /** Matches the line of the log that explains a failed start. */
  readonly failurePattern: RegExp;
  /** Resolves when the server is ready, rejects while it is not. */
  readonly checkReady: () => Promise<void>;
  readonly readyTimeoutMs: number;
  readonly onExit?: ((exit: ProcessExit) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts a server that stops when this process ends; resolves when it is ready. Throws StartError with the matching line of its log. */
export async function startServer(options: ServerOptions): Promise<RunningProcess> {
  const output = await openLogFile(options.logFile);
  const part = await spawnProcess(
    options.command,
    options.args,
    { ...options.spawnOptions, stdio: ['ignore', output.fd, output.fd] },
    options.stopSteps,
  ).catch(async (error: unknown) => {
    await output.close();
    throw error;
  });
  const dismissGuard = guardAgainstOrphan(part.pid, 'INT');
  void part.exited.then(dismissGuard);
  try {
    await waitUntilReady(part, output, options);
  } catch (error) {
    await part.stop();
    throw error;
  } finally {
    void part.exited.then(() => output.close());
  }
  if (options.onExit) void part.exited.then(options.onExit);
  return { pid: part.pid, exited: part.exited, stop: () => part.stop(), kill: (signal) => part.kill(signal) };
}

async function waitUntilReady(part: SpawnedProcess, output: LogFile, options: ServerOptions): Promise<void> {
  const state: { exit?: ProcessExit; reason?: unknown } = {};
  void part.exited.then((exit) => (state.exit = exit));
  const ended = part.exited.then(() => 'ended' as const);
  const probe = async (): Promise<'ended' | 'ready' | undefined> => {
    if (state.exit) return 'ended';
    const ready = options.checkReady().then(
      () => 'ready' as const,
      (error: unknown) => void (state.reason = error),
    );
    // Another program on the port may leave the connection open long after the server has ended.
    return Promise.race([ready, ended]);
  };
  const answer = await pollUntil(probe, { timeoutMs: options.readyTimeoutMs, everyMs: 20, signal: options.signal });
  if (answer === 'ready' && !state.exit) return;
  const lines = await output.tail(30).catch(() => []);
  const reason = lines.findLast((line) => options.failurePattern.test(line)) ?? lines.at(-1) ?? 'it wrote nothing';
  const what = state.exit
    ? `ended before it was ready (${state.exit.signal ?? `exit code ${state.exit.code}`})`
    : `did not answer within ${options.readyTimeoutMs} ms`;
  throw new StartError(`${options.name} ${what}: ${reason}`, { cause: state.reason });
}
