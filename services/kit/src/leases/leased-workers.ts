import { GatewayError } from '@parley/protos/errors';
import { WakeSignal } from '../lifecycle/wake-signal.ts';
import { type Logger } from '../log/logger.ts';
import { throttleRead, counter, observeGauge } from '../telemetry/meter.ts';
import { type ClaimedWork, type LeaseBacklog, LeaseLostError } from './lease.ts';

/** How a worker learns that it should stop or end its piece. */
export interface WorkControl {
  /** Aborts with LeaseLostError when the worker's results no longer count, or with SHUTTING_DOWN when the grace period has ended. */
  signal: AbortSignal;
  /** Aborts with CANCELLED when the piece should end early; its results still count. */
  endRequested: AbortSignal;
  /** Whether the worker should release the piece at the next opportunity. */
  isStopping: () => boolean;
}

/** Intervals and limits of the workers, in milliseconds. */
export interface WorkerTiming {
  /** How long a lease is valid without renewal. @default 12_000 */
  leaseMs?: number | undefined;
  /** How often leases are renewed, at least four times within `leaseMs`; a lost lease is detected within this time. @default 1_000 */
  renewMs?: number | undefined;
  /** How often to poll for due pieces without `claimNow`, when none is known to become due earlier. @default 10_000 */
  idleMs?: number | undefined;
  /** How long pieces in progress may take when the workers stop. @default 20_000 */
  graceMs?: number | undefined;
}

/** How to claim, renew and work on pieces. */
export interface LeasedWorkersOptions<W extends ClaimedWork> extends WorkerTiming {
  /** Name of the pieces in log lines, in the plural; the label `kind` of their metrics. */
  name: string;
  /** Maximum number of pieces that this process works on concurrently. */
  workers: number;
  /** Leases up to `limit` pieces that are due, for `leaseMs`. */
  claim: (limit: number, leaseMs: number) => Promise<readonly W[]>;
  /**
   * Milliseconds until the next piece is due, or until a lease expires, whichever comes first; zero or less when that is now, null when
   * there is neither. Cheap: it is called instead of `claim` while there is no work.
   */
  nextDueMs: () => Promise<number | null>;
  /** Returns the pieces that are due and not leased; called only for metrics. */
  backlog: () => Promise<LeaseBacklog>;
  /** Renews the leases of pieces for another `leaseMs`; returns the ids of those that are still leased. */
  renew: (held: readonly W[], leaseMs: number) => Promise<ReadonlySet<string>>;
  /** Completes a piece, or releases it. Never rejects. */
  work: (piece: W, control: WorkControl) => Promise<void>;
  log: Logger;
}

interface Held<W> {
  piece: W;
  abort: AbortController;
  endRequested: AbortController;
  done: Promise<void>;
}

/** Wait before the next claim when due pieces remain (their workspace has reached a limit), and after a failure, in milliseconds. */
const AGAIN_MS = 1_000;
/** Shortest interval between two queries of the backlog for metrics, in milliseconds. */
const OBSERVE_MS = 5_000;

const TAKEN_OVER = counter('parley_leases_taken_over_total');

/** Claims due pieces of durable work, works on them and renews their leases; any number of replicas share the pieces. */
export class LeasedWorkers<W extends ClaimedWork> {
  readonly #options: LeasedWorkersOptions<W>;
  readonly #leaseMs: number;
  readonly #idleMs: number;
  readonly #signal = new WakeSignal();
  readonly #held = new Map<string, Held<W>>();
  readonly #running: Promise<void>;
  readonly #unobserve: () => void;
  readonly #renewMs: number;
  /** Runs while pieces are held. */
  #heartbeat: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #renewedAt = performance.now();
  #stopped = false;
  #failing = false;

  constructor(options: LeasedWorkersOptions<W>) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 12_000;
    this.#idleMs = options.idleMs ?? 10_000;
    this.#renewMs = Math.min(options.renewMs ?? 1_000, this.#leaseMs / 4);
    this.#unobserve = this.#observe();
    this.#running = this.#loop();
  }

  /** Claims immediately instead of at the next poll; to be called when a new piece is due. */
  claimNow(): void {
    this.#signal.notify();
  }

  /** Aborts the worker of a piece that was cancelled or restarted. */
  cancel(id: string): void {
    this.#held.get(id)?.abort.abort(new LeaseLostError('the work was cancelled or restarted'));
  }

  /** Asks the worker of a piece to end it early. */
  requestEnd(id: string): void {
    this.#held.get(id)?.endRequested.abort(new GatewayError('CANCELLED', 'the work should end early'));
  }

  /** Stops claiming, waits up to `graceMs` for pieces in progress, and then has the rest released. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#signal.notify();
    await this.#running;
    const late = setTimeout(() => this.#releaseAll(), this.#options.graceMs ?? 20_000);
    await Promise.all([...this.#held.values()].map(({ done }) => done));
    clearTimeout(late);
    this.#unobserve();
  }

  #observe(): () => void {
    const labels = { kind: this.#options.name };
    const backlog = throttleRead(OBSERVE_MS, this.#options.backlog);
    const ends = [
      observeGauge('parley_lease_backlog', async () => [{ labels, value: (await backlog()).pieces }]),
      observeGauge('parley_lease_oldest_seconds', async () => [{ labels, value: (await backlog()).oldestSeconds }]),
      observeGauge('parley_leases_held', () => [{ labels, value: this.#held.size }]),
    ];
    return () => ends.forEach((end) => end());
  }

  async #loop(): Promise<void> {
    for (let kicked = true; !this.#stopped;) {
      const waitMs = await this.#claim(kicked);
      kicked = await this.#signal.wait(Math.min(waitMs, this.#idleMs));
    }
  }

  /**
   * Claims after `claimNow` (`kicked`), or when a piece is due. Returns the milliseconds until the next attempt. Logs one line while the
   * database is not available.
   */
  async #claim(kicked: boolean): Promise<number> {
    const { name, workers, claim, nextDueMs, log } = this.#options;
    const limit = workers - this.#held.size;
    // The end of a piece notifies.
    if (limit <= 0) return this.#idleMs;
    try {
      const dueMs = kicked || this.#failing ? 0 : ((await nextDueMs()) ?? this.#idleMs);
      if (dueMs > 0) return dueMs;
      // Leases that expired while the database was not available are still held unless another worker has claimed them.
      if (this.#failing || performance.now() - this.#renewedAt > this.#leaseMs / 2) await this.#renew();
      const claimed = await claim(limit, this.#leaseMs);
      for (const piece of claimed) this.#begin(piece);
      this.#failing = false;
      if (claimed.length === limit) return this.#idleMs;
      const nextMs = (await nextDueMs()) ?? this.#idleMs;
      return nextMs > 0 ? nextMs : AGAIN_MS;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, `${name} could not be claimed`);
      this.#failing = true;
      return AGAIN_MS;
    }
  }

  #begin(piece: W): void {
    // A piece that this process still holds expired here, so it was not taken over from another process.
    if (piece.takenOver && !this.#held.has(piece.id)) TAKEN_OVER.add({ kind: this.#options.name });
    // A piece that this process already holds was claimed again because its lease expired: the earlier worker's results no longer count.
    this.cancel(piece.id);
    const held: Held<W> = { piece, abort: new AbortController(), endRequested: new AbortController(), done: Promise.resolve() };
    this.#held.set(piece.id, held);
    this.#heartbeat ??= setInterval(() => void this.#renew(), this.#renewMs).unref();
    const control = { signal: held.abort.signal, endRequested: held.endRequested.signal, isStopping: () => this.#stopped };
    held.done = this.#options.work(piece, control).finally(() => {
      // When this process has claimed the piece again, the entry belongs to the later worker.
      if (this.#held.get(piece.id) === held) this.#held.delete(piece.id);
      if (this.#held.size === 0) this.#stopHeartbeat();
      this.#signal.notify();
    });
  }

  /** Renews all leases; concurrent callers share one statement. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewAll().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  /** Renews all leases, and aborts the workers of pieces whose lease was lost. While the database is not available all workers continue. */
  async #renewAll(): Promise<void> {
    const { name, renew, log } = this.#options;
    const startedAt = performance.now();
    const held = [...this.#held.values()];
    const pieces = held.map(({ piece }) => piece);
    try {
      const confirmed = pieces.length > 0 ? await renew(pieces, this.#leaseMs) : undefined;
      this.#renewedAt = startedAt;
      for (const { piece, abort } of held) if (!confirmed?.has(piece.id)) abort.abort(new LeaseLostError('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, `leases of ${name} were not renewed`);
    }
  }

  #stopHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
  }

  #releaseAll(): void {
    for (const { abort } of this.#held.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
