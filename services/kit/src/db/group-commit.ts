import { GatewayError } from '@parley/protos/errors';
import { mapDatabaseError, isDatabaseUnavailable } from './database-error.ts';

/** What a write function returns: one result per row in the order of the rows, or nothing for `void`. */
export type WriteResults<Result> = [Result] extends [void] ? void : readonly Result[];

/** How a GroupCommit batches and writes its rows. */
export interface GroupCommitOptions<Row, Result> {
  /**
   * Writes a group in ONE idempotent statement or transaction (all or nothing; the caller generates the keys, `ON CONFLICT DO NOTHING`). A
   * group whose commit was interrupted is reported as failed although it may have been stored, so its callers may add it again.
   */
  write: (rows: readonly Row[]) => Promise<WriteResults<Result>>;
  /** Maximum number of rows in one group. @default 512 */
  maxBatch?: number;
  /** Maximum number of waiting rows; the next row is rejected with SERVICE_UNAVAILABLE. @default 10000 */
  maxQueue?: number;
  /**
   * Longest pause between two groups under load, in milliseconds; it grows with the number of rows in the group before. Pauses make groups
   * larger and cheaper. A group of one row causes no pause.
   * @default 0
   */
  maxPauseMs?: number;
  /** Number of groups written concurrently; with more than one, groups may commit out of order. @default 1 */
  concurrency?: number;
}

/** Pause after a group, in milliseconds for each of its rows. */
const PACE_PER_ROW_MS = 0.25;

interface Waiting<Row, Result> {
  row: Row;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Group commit without a timer: rows that arrive while a write is in progress are written together after it. Without load a row is written
 * at once; under load one fsync serves hundreds of rows.
 */
export class GroupCommit<Row, Result = void> {
  readonly #write: (rows: readonly Row[]) => Promise<WriteResults<Result>>;
  readonly #maxBatch: number;
  readonly #maxQueue: number;
  readonly #concurrency: number;
  readonly #paceMs: number;
  /** Earliest time of the next write; in the past when there is no load. */
  #nextAt = 0;
  #queue: Waiting<Row, Result>[] = [];
  #inFlight = 0;
  #kicked = false;
  #drained: (() => void)[] = [];

  constructor({
    write,
    maxBatch = 512,
    maxQueue = 10_000,
    concurrency: lanes = 1,
    maxPauseMs: paceMs = 0,
  }: GroupCommitOptions<Row, Result>) {
    this.#write = write;
    this.#maxBatch = maxBatch;
    this.#maxQueue = maxQueue;
    this.#concurrency = lanes;
    this.#paceMs = paceMs;
  }

  /** Number of rows that wait; rows being written are not counted. */
  get depth(): number {
    return this.#queue.length;
  }

  /**
   * Adds a row; resolves with its result when it has been committed.
   * @throws GatewayError SERVICE_UNAVAILABLE when the queue is full or the database is not available; else what `write` throws for this row
   * alone
   */
  add(row: Row): Promise<Result> {
    if (this.#queue.length >= this.#maxQueue) {
      return Promise.reject(new GatewayError('SERVICE_UNAVAILABLE', 'too many writes wait for the database'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ row, resolve, reject });
      this.#kick();
    });
  }

  /** Resolves when no row waits and no write is in progress. Rows may still be added. */
  async drain(): Promise<void> {
    if (this.#queue.length === 0 && this.#inFlight === 0) return;
    await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  /** Waits for the next turn of the event loop, so that rows that become ready together are written together. */
  #kick(): void {
    if (this.#kicked || this.#inFlight >= this.#concurrency) return;
    this.#kicked = true;
    const wait = this.#nextAt - performance.now();
    const leave = () => {
      this.#kicked = false;
      while (this.#inFlight < this.#concurrency && this.#queue.length > 0) void this.#flush();
    };
    if (wait > 0) setTimeout(leave, wait);
    else setImmediate(leave);
  }

  async #flush(): Promise<void> {
    const group = this.#queue.splice(0, this.#maxBatch);
    if (group.length > 1) this.#nextAt = performance.now() + Math.min(this.#paceMs, group.length * PACE_PER_ROW_MS);
    this.#inFlight++;
    await this.#commit(group);
    this.#inFlight--;
    if (this.#queue.length > 0) return this.#kick();
    if (this.#inFlight === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  /** Writes the group; when that fails, writes its halves, so that a bad row fails alone and the others are stored. */
  async #commit(group: Waiting<Row, Result>[]): Promise<void> {
    const pending = [group];
    for (let part = pending.pop(); part; part = pending.pop()) {
      try {
        settle(part, await this.#write(part.map((waiting) => waiting.row)));
      } catch (error) {
        if (isDatabaseUnavailable(error)) return fail([part, ...pending].flat(), mapDatabaseError(error));
        if (part.length === 1) fail(part, error);
        else pending.push(part.slice(part.length >> 1), part.slice(0, part.length >> 1));
      }
    }
  }
}

function settle<Row, Result>(group: readonly Waiting<Row, Result>[], results: WriteResults<Result>): void {
  if (Array.isArray(results) && results.length !== group.length) {
    return fail(group, new Error(`the write gave ${results.length} results for ${group.length} rows`));
  }
  const list = results as readonly Result[] | undefined;
  group.forEach((waiting, index) => waiting.resolve(list?.[index] as Result));
}

function fail<Row, Result>(group: readonly Waiting<Row, Result>[], error: unknown): void {
  for (const waiting of group) waiting.reject(error);
}
