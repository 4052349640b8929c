import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const ENGINE = fileURLToPath(new URL('../../worker/speech-engine.mjs', import.meta.url));
/** An engine process ends after this long without a task, in milliseconds. */
const IDLE_MS = 60_000;

/** Limits of engine processes. */
export interface EngineLimits {
  /** Timeout of a task, in milliseconds. @default 300_000 */
  timeMs?: number;
  /** `nice` value of the processes, 0 to 19; higher values have lower priority. @default 10 */
  niceness?: number;
}

interface Waiting {
  name: string;
  task: object;
  signal: AbortSignal;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** The response of an engine process. */
type Answer = { result: unknown } | { error: string };

/**
 * A pool of processes that execute one task each at a time; further tasks wait in order. Aborting a task kills its process at once.
 * Processes instead of worker threads: a fault inside WebAssembly can end V8, and with it the gateway.
 */
export class EnginePool {
  readonly #size: number;
  readonly #timeMs: number;
  readonly #niceness: number;
  readonly #idle: ChildProcess[] = [];
  readonly #live = new Set<ChildProcess>();
  readonly #waiting: Waiting[] = [];
  #reaper: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(size: number, { timeMs = 300_000, niceness = 10 }: EngineLimits = {}) {
    this.#size = size;
    this.#timeMs = timeMs;
    this.#niceness = niceness;
  }

  /** Number of engines with a task. */
  get busy(): number {
    return this.#live.size - this.#idle.length;
  }

  /** Number of tasks that wait for an engine. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs the task `name` of `worker/speech-engine.mjs` and resolves with its result.
   * @throws the signal's reason; an Error when the engine fails, exits or times out
   */
  run<T>(name: string, task: object, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (this.#closed) return reject(new Error('the engines are closed'));
      this.#waiting.push({ name, task, signal, resolve: resolve as (result: unknown) => void, reject });
      this.#next();
    });
  }

  /** Kills every engine; their tasks and the waiting ones fail. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#reaper);
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the engines are closed'));
    for (const engine of this.#live) engine.kill('SIGKILL');
  }

  #next(): void {
    const isFree = this.#idle.length > 0 || this.#live.size < this.#size;
    const next = isFree ? this.#waiting.shift() : undefined;
    if (!next) return;
    if (!next.signal.aborted) return this.#begin(this.#idle.pop() ?? this.#start(), next);
    next.reject(next.signal.reason);
    this.#next();
  }

  #start(): ChildProcess {
    // A process that handles client texts gets no environment, as that contains the secrets of this process.
    const engine = fork(ENGINE, [], {
      env: {},
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#live.add(engine);
    engine.on('error', () => undefined);
    engine.once('exit', () => this.#forget(engine));
    lowerPriority(engine, this.#niceness);
    return engine;
  }

  #begin(engine: ChildProcess, { name, task, signal, resolve, reject }: Waiting): void {
    const settle = (isWell: boolean, done: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      engine.off('message', onMessage).off('error', fail).off('exit', ended);
      if (isWell && engine.connected) this.#idle.push(engine);
      else this.#drop(engine);
      done();
      this.#reap();
      this.#next();
    };
    const fail = (error: unknown) => settle(false, () => reject(error));
    const ended = () => fail(new Error('the engine ended'));
    const abort = () => fail(signal.reason);
    const onMessage = (message: unknown) => {
      const answer = message as Answer;
      if ('result' in answer) settle(true, () => resolve(answer.result));
      // A failed engine may be in any state, so its process is killed.
      else fail(new Error(answer.error));
    };
    const timer = setTimeout(() => fail(new Error('the engine took too long')), this.#timeMs);
    signal.addEventListener('abort', abort, { once: true });
    engine.on('message', onMessage).on('error', fail).on('exit', ended);
    engine.send({ name, task }, (error) => error && fail(error));
  }

  #drop(engine: ChildProcess): void {
    this.#live.delete(engine);
    engine.kill('SIGKILL');
  }

  #forget(engine: ChildProcess): void {
    this.#live.delete(engine);
    const at = this.#idle.indexOf(engine);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #reap(): void {
    clearTimeout(this.#reaper);
    this.#reaper = setTimeout(() => {
      for (const engine of this.#idle.splice(0)) this.#drop(engine);
    }, IDLE_MS).unref();
  }
}

function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // A container may forbid it, or the process has ended; the task runs anyway.
  }
}
