import { Worker } from 'node:worker_threads';
import { GatewayError } from '@parley/protos/errors';
import { type LargeChat } from './read-large-chat.ts';
import { toLargeChat, type ReadAnswer, type ReadJob } from './thread-protocol.ts';

/** The compiled worker, also where this file runs from its source: a thread of Node runs no TypeScript. */
const WORKER = new URL('../../../../dist/routes/chat/large/large-body-worker.js', import.meta.url);

/** A body within the limits takes less than a second; the thread itself takes one to start on a busy machine. */
export const READ_TIMEOUT_MS = 10_000;
/** Text takes up to four times the bytes of a body while it is read. */
const HEAP_MB = 512;
/** A thread with nothing to do is kept for a while: it takes longer to start than to read. */
const IDLE_MS = 60_000;
const RETRY_MS = 1_000;

interface Reading {
  resolve: (chat: LargeChat) => void;
  reject: (reason: unknown) => void;
  timer: NodeJS.Timeout;
}

/** One worker thread that reads one body at a time. It starts when needed, and is replaced when it dies or takes too long. */
export class ReaderThread {
  #worker: Worker | undefined;
  #reading: Reading | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Reads a body, whose memory is the thread's from then on. One at a time. Rejects as `readLargeChat` throws, or with SERVICE_UNAVAILABLE. */
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
    // The thread parses untrusted input, and the environment holds the secrets of the process.
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, env: {} });
    worker.unref();
    worker.on('message', (answer: ReadAnswer) => {
      if (this.#worker === worker) this.#finish(answer);
    });
    worker.on('error', () => this.#lost(worker));
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  #finish(answer: ReadAnswer): void {
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

  /** Does not wait for a thread that is being terminated. */
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
