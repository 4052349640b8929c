import { runInBatches } from '@parley/kit/lifecycle/run-in-batches';
import { type Logger } from '@parley/kit/log/logger';
import { mergeSamplesIntoHours, SAMPLE_BATCH_SIZE } from '../store/sketches.ts';
import { type Store } from '../store/store.ts';

/** Aggregates samples into the sketches, one run at a time: in the background after every batch of counted records, and before a report. */
export class SampleAggregator {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #stopping = new AbortController();
  #counted = 0;
  #running: Promise<void> | undefined;

  constructor({ store, log }: { store: Store; log: Logger }) {
    this.#store = store;
    this.#log = log;
  }

  /** Adds to the number of counted records; starts a run in the background when a batch is full. */
  countRecords(records: number): void {
    this.#counted += records;
    if (this.#counted < SAMPLE_BATCH_SIZE || this.#running || this.#stopping.signal.aborted) return;
    this.#running = this.#move();
  }

  /**
   * Aggregates every sample that was written before this call; concurrent callers share a run. Logs a failure and leaves the samples to
   * the next run.
   */
  async aggregateAll(): Promise<void> {
    await this.#running;
    this.#running ??= this.#move();
    await this.#running;
  }

  /** Starts no further run, and resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #move(): Promise<void> {
    this.#counted = 0;
    try {
      await runInBatches(SAMPLE_BATCH_SIZE, () => mergeSamplesIntoHours(this.#store), this.#stopping.signal);
    } catch (err) {
      this.#log.warn({ err }, 'usage samples could not be moved');
    } finally {
      this.#running = undefined;
    }
  }
}
