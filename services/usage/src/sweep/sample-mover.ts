import { inBatches } from '@parley/kit/lifecycle/in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { addSamples, SAMPLE_BATCH } from '../store/sketches.ts';
import { type Store } from '../store/store.ts';

/** Moves samples into the sketches, one move at a time: in the background whenever a batch of them has been counted, and before a report. */
export class SampleMover {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #counted = 0;
  #running: Promise<void> | undefined;

  constructor({ store, log }: { store: Store; log: Logger }) {
    this.#store = store;
    this.#log = log;
  }

  /** Takes note of records that this process has counted. */
  add(records: number): void {
    this.#counted += records;
    if (this.#counted < SAMPLE_BATCH || this.#running || this.#stopping.signal.aborted) return;
    this.#running = this.#move();
  }

  /** Moves every sample that was written before this call, together with other callers. A failure is logged, and the samples wait for the next move. */
  async moveAll(): Promise<void> {
    await this.#running;
    this.#running ??= this.#move();
    await this.#running;
  }

  /** Starts no further move, and resolves when the one in progress is over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #move(): Promise<void> {
    this.#counted = 0;
    try {
      await inBatches(SAMPLE_BATCH, () => addSamples(this.#store), this.#stopping.signal);
    } catch (err) {
      this.#log.warn({ err }, 'usage samples could not be moved');
    } finally {
      this.#running = undefined;
    }
  }
}
