import { ObjectMap } from '@parley/kit/collections/object-map';
import { Worker } from 'node:worker_threads';

const WORKER = new URL('../../worker/count-tokens.mjs', import.meta.url);

/** Timeout of a count in milliseconds; after it the count is estimated. */
const PATIENCE_MS = 2_000;
/** The same timeout until the worker's first reply: loading its tables takes seconds on a busy machine. */
const FIRST_PATIENCE_MS = 15_000;
/** Maximum texts that wait for the worker; beyond it counts are estimated. */
const MAX_WAITING = 10_000;

interface WaitingCount {
  id: number;
  text: string;
  resolve: (tokens: number) => void;
  timer: NodeJS.Timeout;
}

/** Counts tokens in a worker thread, one message per event-loop iteration. Estimates when the worker is too slow, busy or gone. */
export class TokenCounter {
  #worker: Worker | undefined;
  readonly #waiting = new ObjectMap<WaitingCount>();
  #batch: { id: number; text: string }[] = [];
  #lastId = 0;
  #isWarm = false;
  #isClosed = false;

  /** Starts the worker in advance, so that the first turns do not wait for it. */
  warmUp(): void {
    void this.count('ready');
  }

  /** Number of tokens in a text. Never rejects. */
  count(text: string): Promise<number> {
    if (text === '') return Promise.resolve(0);
    if (this.#isClosed || this.#waiting.size >= MAX_WAITING) return Promise.resolve(estimate(text));
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      const timer = setTimeout(() => this.#settle(id, estimate(text)), this.#isWarm ? PATIENCE_MS : FIRST_PATIENCE_MS);
      this.#waiting.set(id, { id, text, resolve, timer });
      if (this.#batch.push({ id, text }) === 1) setImmediate(() => this.#send());
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#estimateAll();
    await this.#worker?.terminate();
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = [];
    if (this.#isClosed) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(batch);
  }

  #start(): Worker {
    const worker = new Worker(WORKER);
    worker.unref();
    this.#isWarm = false;
    worker.on('message', (counts: { id: number; tokens: number }[]) => {
      this.#isWarm = true;
      for (const { id, tokens } of counts) this.#settle(id, tokens);
    });
    worker.on('error', () => this.#lost(worker));
    worker.on('exit', () => this.#lost(worker));
    return worker;
  }

  /** Estimates all waiting counts after the worker exited; the next count starts another one. */
  #lost(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#estimateAll();
  }

  #estimateAll(): void {
    for (const { id, text } of this.#waiting.values()) this.#settle(id, estimate(text));
  }

  #settle(id: number, tokens: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(tokens);
  }
}

/** Estimates four characters per token, the rule of thumb for English. */
function estimate(text: string): number {
  return Math.ceil(text.length / 4);
}
