import { Worker } from 'node:worker_threads';
import { ObjectMap } from '@parley/kit/collections/object-map';

const WORKER = new URL('../../worker/count-tokens.mjs', import.meta.url);

/** How long a count may take before it is estimated. */
const PATIENCE_MS = 2_000;
/** The same while the worker still loads its tables, which takes seconds on a busy machine. */
const FIRST_PATIENCE_MS = 15_000;
/** Texts that may wait; beyond it counts are estimated. */
const MAX_WAITING = 10_000;

interface WaitingCount {
  id: number;
  text: string;
  resolve: (tokens: number) => void;
  timer: NodeJS.Timeout;
}

/** Counts tokens in a worker thread; the texts of one event-loop turn travel together. Estimates where the worker cannot answer. */
export class TokenCounter {
  #worker: Worker | undefined;
  readonly #waiting = new ObjectMap<WaitingCount>();
  #batch: { id: number; text: string }[] = [];
  #lastId = 0;
  #isWarm = false;
  #isClosed = false;

  /** Starts the worker, so that the first turns find it ready. */
  warmUp(): void {
    void this.count('ready');
  }

  /** Tokens of a text. Never rejects. */
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

  /** The next count starts another worker. */
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

/** The rule of thumb for English: four characters a token. */
function estimate(text: string): number {
  return Math.ceil(text.length / 4);
}
