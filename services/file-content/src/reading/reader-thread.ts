import { Worker } from 'node:worker_threads';
import { type Extracted } from '../extracted.ts';
import { type ExtractionLimits } from '../limits.ts';
import { type ThreadReader } from './reader-of.ts';

const WORKER = new URL('../../worker/read-file.mjs', import.meta.url);

/** How often the size of the process is looked at while a file is read. */
const WATCH_MS = 100;

interface Reading {
  resolve: (extracted: Extracted) => void;
  reject: (reason: Error) => void;
  stopWatching: () => void;
}

/** One worker thread that reads one file at a time. It is started when needed, and replaced when it dies, hangs or grows too large. */
export class ReaderThread {
  readonly #limits: ExtractionLimits;
  #worker: Worker | undefined;
  #reading: Reading | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: ExtractionLimits) {
    this.#limits = limits;
  }

  /** Reads a file. The caller lets one reading end before the next begins. Rejects only when the signal aborts or the thread is closed. */
  read(reader: ThreadReader, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Extracted> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject, stopWatching: this.#watch(signal) };
      const { outputCharacters, inflatedBytes } = this.#limits;
      // The copy is the worker's; what the caller holds stays usable.
      const copy = new Uint8Array(bytes);
      this.#worker ??= this.#start();
      this.#worker.postMessage({ reader, bytes: copy, limits: { outputCharacters, inflatedBytes } }, [copy.buffer]);
    });
  }

  async close(reason: Error): Promise<void> {
    clearTimeout(this.#idle);
    this.#take()?.reject(reason);
    await this.#drop();
  }

  /** Begins to watch the time, the memory and the signal; answers how to stop. */
  #watch(signal: AbortSignal | undefined): () => void {
    const giveUp = (omitted: string): void => {
      const reading = this.#take();
      void this.#drop().then(() => reading?.resolve({ text: '', omitted }));
    };
    const abort = (): void => {
      const reading = this.#take();
      void this.#drop().then(() => reading?.reject(signal?.reason as Error));
    };
    const { timeMs, memoryMb } = this.#limits;
    const seconds = (timeMs / 1_000).toLocaleString('en');
    const timer = setTimeout(() => giveUp(`The file was not read: it would take longer than ${seconds} seconds.`), timeMs);
    // V8 bounds the heap of a worker, but not its buffers: only the size of the process shows those.
    const before = process.memoryUsage.rss();
    const sampler = setInterval(() => {
      if (process.memoryUsage.rss() - before > memoryMb * 2 ** 20) giveUp(TOO_LARGE);
    }, WATCH_MS);
    signal?.addEventListener('abort', abort, { once: true });
    return () => {
      clearTimeout(timer);
      clearInterval(sampler);
      signal?.removeEventListener('abort', abort);
    };
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#limits.memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
    // What reads strangers' files gets no environment: the secrets of the process are in it.
    const worker = new Worker(WORKER, { resourceLimits, env: {}, stdout: true, stderr: true });
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (extracted: Extracted) => {
      if (this.#worker === worker) this.#finish(extracted);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#lost(worker, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_LARGE : DAMAGED),
    );
    worker.on('exit', () => this.#lost(worker, DAMAGED));
    return worker;
  }

  #finish(extracted: Extracted): void {
    this.#take()?.resolve(extracted);
    this.#idle = setTimeout(() => void this.#drop(), this.#limits.idleMs).unref();
  }

  #lost(worker: Worker, omitted: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#take()?.resolve({ text: '', omitted });
  }

  #take(): Reading | undefined {
    const reading = this.#reading;
    this.#reading = undefined;
    reading?.stopWatching();
    return reading;
  }

  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

const TOO_LARGE = 'The file was not read: it would take more memory than a file is given.';
const DAMAGED = 'The file could not be read: it is damaged.';
