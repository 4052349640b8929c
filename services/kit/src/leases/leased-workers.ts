import { GatewayError } from '@parley/protos/errors';
import { WakeSignal } from '../lifecycle/wake-signal.ts';
import { type Logger } from '../log/logger.ts';
import { type Lease, LeaseLost } from './lease.ts';

/** Signals to the worker of one piece. */
export interface WorkControl {
  /** Aborts with LeaseLost when the worker's results no longer count, or with SHUTTING_DOWN when the grace period is over. */
  signal: AbortSignal;
  /** Aborts with CANCELLED when the piece should end early; its results still count. */
  endRequested: AbortSignal;
  /** Whether the worker should release the piece at the next opportunity. */
  isStopping: () => boolean;
}

/** How often and how long, in milliseconds. */
export interface WorkerTiming {
  /** How long a lease lasts without renewal. @default 12_000 */
  leaseMs?: number | undefined;
  /** How often leases are renewed, at least four times within `leaseMs`; a worker learns of a lost lease within this time. @default 1_000 */
  renewMs?: number | undefined;
  /** How often to claim without `kick`. @default 1_000 */
  idleMs?: number | undefined;
  /** How long pieces in progress may take when the workers stop. @default 20_000 */
  graceMs?: number | undefined;
}

/** How to claim, renew and work on pieces. */
export interface LeasedWorkersOptions<W extends Lease> extends WorkerTiming {
  /** Name of the pieces in log lines, in the plural. */
  name: string;
  /** Concurrent pieces in this process. */
  workers: number;
  /** Leases up to `limit` pieces that are due, for `leaseMs`. */
  claim: (limit: number, leaseMs: number) => Promise<readonly W[]>;
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

/** Leases and works on pieces of durable work that are due; any number of replicas share them. */
export class LeasedWorkers<W extends Lease> {
  readonly #options: LeasedWorkersOptions<W>;
  readonly #leaseMs: number;
  readonly #signal = new WakeSignal();
  readonly #held = new Map<string, Held<W>>();
  readonly #running: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;
  #renewing: Promise<void> | undefined;
  #renewedAt = performance.now();
  #stopped = false;
  #failing = false;

  constructor(options: LeasedWorkersOptions<W>) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? 12_000;
    this.#running = this.#loop(options.idleMs ?? 1_000);
    this.#heartbeat = setInterval(() => void this.#renew(), Math.min(options.renewMs ?? 1_000, this.#leaseMs / 4)).unref();
  }

  /** Claims soon: a new piece is due. */
  kick(): void {
    this.#signal.notify();
  }

  /** Stops the worker of a piece that was cancelled or restarted. */
  cancel(id: string): void {
    this.#held.get(id)?.abort.abort(new LeaseLost('the work was cancelled or restarted'));
  }

  /** Asks the worker of a piece to end it early. */
  requestEnd(id: string): void {
    this.#held.get(id)?.endRequested.abort(new GatewayError('CANCELLED', 'the work should end early'));
  }

  /** Claims no more, waits up to `graceMs` for pieces in progress and releases the rest. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#signal.notify();
    await this.#running;
    const late = setTimeout(() => this.#releaseAll(), this.#options.graceMs ?? 20_000);
    await Promise.all([...this.#held.values()].map(({ done }) => done));
    clearTimeout(late);
    clearInterval(this.#heartbeat);
  }

  async #loop(idleMs: number): Promise<void> {
    while (!this.#stopped) {
      await this.#claim();
      await this.#signal.wait(idleMs);
    }
  }

  /** Logs one line while the database is not available. */
  async #claim(): Promise<void> {
    const { name, workers, claim, log } = this.#options;
    const limit = workers - this.#held.size;
    if (limit <= 0) return;
    try {
      // Leases that expired while the database was not available are still held unless another worker has claimed them.
      if (this.#failing || performance.now() - this.#renewedAt > this.#leaseMs / 2) await this.#renew();
      for (const piece of await claim(limit, this.#leaseMs)) this.#begin(piece);
      this.#failing = false;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, `${name} could not be claimed`);
      this.#failing = true;
    }
  }

  #begin(piece: W): void {
    // A piece that this process already holds was claimed again because its lease expired: the earlier worker's results no longer count.
    this.cancel(piece.id);
    const held: Held<W> = { piece, abort: new AbortController(), endRequested: new AbortController(), done: Promise.resolve() };
    this.#held.set(piece.id, held);
    const control = { signal: held.abort.signal, endRequested: held.endRequested.signal, isStopping: () => this.#stopped };
    held.done = this.#options.work(piece, control).finally(() => {
      // When this process has claimed the piece again, the entry belongs to the later worker.
      if (this.#held.get(piece.id) === held) this.#held.delete(piece.id);
      this.#signal.notify();
    });
  }

  /** Concurrent callers share one statement. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewAll().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  /** Stops the workers of pieces that are not confirmed. While the database is not available all workers continue. */
  async #renewAll(): Promise<void> {
    const { name, renew, log } = this.#options;
    const startedAt = performance.now();
    const held = [...this.#held.values()];
    const pieces = held.map(({ piece }) => piece);
    try {
      const confirmed = pieces.length > 0 ? await renew(pieces, this.#leaseMs) : undefined;
      this.#renewedAt = startedAt;
      for (const { piece, abort } of held) if (!confirmed?.has(piece.id)) abort.abort(new LeaseLost('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, `leases of ${name} were not renewed`);
    }
  }

  #releaseAll(): void {
    for (const { abort } of this.#held.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
