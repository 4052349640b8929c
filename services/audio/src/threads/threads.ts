import { Worker } from 'node:worker_threads';

const WORKER = new URL('../../worker/speech-thread.mjs', import.meta.url);
/** A thread that has had nothing to do for so long is let go. */
const IDLE_MS = 60_000;

interface Waiting {
  name: string;
  task: object;
  signal: AbortSignal;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** What a thread answers. */
type Answer = { result: unknown } | { error: string };

/** A few worker threads that do one task each at a time; more tasks wait in order. An aborted task takes its thread with it, at once. */
export class Threads {
  readonly #size: number;
  readonly #timeMs: number;
  readonly #idle: Worker[] = [];
  readonly #waiting: Waiting[] = [];
  #live = 0;
  #reaper: NodeJS.Timeout | undefined;
  #closed = false;

  /** `timeMs` bounds each task. */
  constructor(size: number, timeMs = 300_000) {
    this.#size = size;
    this.#timeMs = timeMs;
  }

  /** Threads that work now, for tests and measurements. */
  get busy(): number {
    return this.#live - this.#idle.length;
  }

  /** Runs a task of `worker/speech-thread.mjs`. @throws the signal's reason; an Error when the thread fails, dies or takes too long */
  run<T>(name: string, task: object, signal: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted || this.#closed) return reject(signal.reason ?? new Error('the threads are closed'));
      this.#waiting.push({ name, task, signal, resolve: resolve as (result: unknown) => void, reject });
      this.#next();
    });
  }

  /** Ends every thread; what they were doing fails. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#reaper);
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the threads are closed'));
    await this.#dropIdle();
  }

  #next(): void {
    const free = this.#idle.length > 0 || this.#live < this.#size;
    const next = free ? this.#waiting.shift() : undefined;
    if (!next) return;
    if (next.signal.aborted) {
      next.reject(next.signal.reason);
      return this.#next();
    }
    this.#begin(this.#idle.pop() ?? this.#start(), next);
  }

  #start(): Worker {
    this.#live++;
    // What speaks strangers' texts gets no environment: the secrets of the process are in it.
    const worker = new Worker(WORKER, { env: {}, execArgv: ['--no-warnings'], stdout: true, stderr: true });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    return worker;
  }

  #begin(worker: Worker, { name, task, signal, resolve, reject }: Waiting): void {
    const settle = (keep: boolean, tell: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
      if (keep && !this.#closed) this.#idle.push(worker);
      else this.#drop(worker);
      tell();
      this.#reap();
      this.#next();
    };
    const fail = (error: unknown) => settle(false, () => reject(error));
    const abort = () => fail(signal.reason);
    const timer = setTimeout(() => fail(new Error('the engine took too long')), this.#timeMs);
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', (answer: Answer) => {
      if ('result' in answer) settle(true, () => resolve(answer.result));
      // Whatever state an engine fails in goes with its thread.
      else fail(new Error(answer.error));
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread ended')));
    worker.postMessage({ name, task });
  }

  #drop(worker: Worker): void {
    this.#live--;
    worker.on('error', () => undefined);
    void worker.terminate();
  }

  #reap(): void {
    clearTimeout(this.#reaper);
    this.#reaper = setTimeout(() => void this.#dropIdle(), IDLE_MS).unref();
  }

  async #dropIdle(): Promise<void> {
    const idle = this.#idle.splice(0);
    this.#live -= idle.length;
    await Promise.all(idle.map((worker) => worker.terminate()));
  }
}
