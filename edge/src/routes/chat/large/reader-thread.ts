import { GatewayError } from '@parley/protos/errors';
import { Worker } from 'node:worker_threads';
import { type LargeChat } from './read-large-chat.ts';
import { toLargeChat, type ReadJobResult, type ReadJob } from './thread-protocol.ts';

/** The compiled worker, also when this file runs from source: a Node worker thread does not run TypeScript. */
const WORKER = new URL('../../../../dist/routes/chat/large/large-body-worker.js', import.meta.url);

/**
 * Longest read, in milliseconds. A body within the limits takes less than a second; on a busy machine the thread itself takes one to start.
 */
export const READ_TIMEOUT_MS = 10_000;
/** Heap limit of the thread: text takes up to four times the bytes of a body while it is read. */
const HEAP_MB = 512;
/** Milliseconds that an idle thread is kept: it takes longer to start than to read a body. */
const IDLE_MS = 60_000;
const RETRY_MS = 1_000;

interface Reading {
  resolve: (chat: LargeChat) => void;
  reject: (reason: unknown) => void;
  timer: NodeJS.Timeout;
}

/** A worker thread that reads one body at a time. It starts on first use, and is replaced when it exits or takes too long. */
export class ReaderThread {
  #worker: Worker | undefined;
  #reading: Reading | undefined;
  #idle: NodeJS.Timeout | undefined;

  /**
   * Reads a body and transfers its memory to the thread; one call at a time. Rejects as `readLargeChat` throws, or with
   * SERVICE_UNAVAILABLE.
   */
  read(job: ReadJob): Promise<LargeChat> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      const late = () => this.#give(this.#drop());
      this.#reading = { resolve, reject, timer: setTimeout(late, READ_TIMEOUT_MS) };
      this.#worker ??= this.#start();
      this.#worker.postMessage(
        job,
        job.pieces.map(({ buffer }) => buffer as ArrayBuffer),
      );
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#drop();
  }

  #start(): Worker {
    // The thread parses untrusted input, so it does not get the environment, which contains the secrets of the process.
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, env: {} });
    worker.unref();
    worker.on('message', (answer: ReadJobResult) => {
      if (this.#worker === worker) this.#finish(answer);
    });
    worker.on('error', () => this.#lost(worker));
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  #finish(answer: ReadJobResult): void {
    this.#idle = setTimeout(() => this.#give(this.#drop()), IDLE_MS).unref();
    const reading = this.#take();
    try {
      reading?.resolve(toLargeChat(answer));
    } catch (refusal) {
      reading?.reject(refusal);
    }
  }

  #lost(worker: Worker): void {
    if (this.#worker === worker) this.#give(this.#drop());
  }

  async #drop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    const unread = new GatewayError('SERVICE_UNAVAILABLE', 'the request could not be read', { retryAfterMs: RETRY_MS });
    this.#take()?.reject(unread);
    await worker?.terminate();
  }

  /** Ignores the result of terminating a thread. */
  #give(ending: Promise<void>): void {
    ending.catch(() => undefined);
  }

  #take(): Reading | undefined {
    const reading = this.#reading;
    this.#reading = undefined;
    clearTimeout(reading?.timer);
    return reading;
  }
}
