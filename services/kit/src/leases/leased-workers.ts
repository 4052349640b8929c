import { GatewayError } from '@parley/protos/errors';
import { Signal } from '../lifecycle/signal.ts';
import type { Logger } from '../log/logger.ts';
import { type Lease, LeaseLost } from './lease.ts';

/** How the owner of a worker steers it. */
export interface Control {
  /** Aborts with LeaseLost when what is done no longer counts, or with SHUTTING_DOWN when there is no more time. */
  signal: AbortSignal;
  /** Aborts with CANCELLED when somebody wants the piece to come to an end early: what it does then still counts. */
  asked: AbortSignal;
  /** Whether the piece is to be given back at the next occasion. */
  isStopping: () => boolean;
}

/** How often and how long, in milliseconds. */
export interface WorkerTiming {
  /** How long a piece waits after its worker has fallen silent. @default 12_000 */
  leaseMs?: number | undefined;
  /** How often leases are renewed, at least four times in each: a worker that has lost its piece hears of it no later than this. @default 1_000 */
  renewMs?: number | undefined;
  /** How often to look without being kicked. @default 1_000 */
  idleMs?: number | undefined;
  /** How long what is under way may take when the workers stop. @default 20_000 */
  graceMs?: number | undefined;
}

/** What the pieces of work are, and what is done with them. */
export interface LeasedWorkersOptions<W extends Lease> extends WorkerTiming {
  /** What they are called in the log, in the plural. */
  name: string;
  /** Pieces at once in this process. */
  workers: number;
  /** Takes up to `limit` pieces that are due, for `leaseMs`. */
  claim: (limit: number, leaseMs: number) => Promise<readonly W[]>;
  /** Holds on to pieces for another `leaseMs`; gives the ids of those that are still held. */
  renew: (held: readonly W[], leaseMs: number) => Promise<ReadonlySet<string>>;
  /** Takes a piece to its end, or gives it back. Never rejects. */
  work: (piece: W, control: Control) => Promise<void>;
  log: Logger;
}

interface Held<W> {
  piece: W;
  abort: AbortController;
  asked: AbortController;
  done: Promise<void>;
}

/** Works on pieces of durable work that are due, a few at a time; any number of replicas share them. */
export class LeasedWorkers<W extends Lease> {
  readonly #options: LeasedWorkersOptions<W>;
  readonly #leaseMs: number;
  readonly #alarm = new Signal();
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

  /** There is something new. */
  kick(): void {
    this.#alarm.notify();
  }

  /** The piece was cancelled, or begun anew: its worker stops at once. */
  cancel(id: string): void {
    this.#held.get(id)?.abort.abort(new LeaseLost('the work was cancelled or begun anew'));
  }

  /** The piece is to come to an end early, which its worker does in its own way. */
  askToEnd(id: string): void {
    this.#held.get(id)?.asked.abort(new GatewayError('CANCELLED', 'the work was asked to end'));
  }

  /** Takes no more, lets what is under way finish for a while and gives the rest back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.notify();
    await this.#running;
    const late = setTimeout(() => this.#giveBack(), this.#options.graceMs ?? 20_000);
    await Promise.all([...this.#held.values()].map(({ done }) => done));
    clearTimeout(late);
    clearInterval(this.#heartbeat);
  }

  async #loop(idleMs: number): Promise<void> {
    while (!this.#stopped) {
      await this.#claim();
      await this.#alarm.wait(idleMs);
    }
  }

  /** A database that is away is one line in the log, however long. */
  async #claim(): Promise<void> {
    const { name, workers, claim, log } = this.#options;
    const limit = workers - this.#held.size;
    if (limit <= 0) return;
    try {
      // Leases that ran out while nobody could renew them are still ours, as long as nobody else has taken them.
      if (this.#failing || performance.now() - this.#renewedAt > this.#leaseMs / 2) await this.#renew();
      for (const piece of await claim(limit, this.#leaseMs)) this.#begin(piece);
      this.#failing = false;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, `${name} that are due could not be asked for`);
      this.#failing = true;
    }
  }

  #begin(piece: W): void {
    // Its lease ran out all the same: what the predecessor does no longer counts.
    this.cancel(piece.id);
    const held: Held<W> = { piece, abort: new AbortController(), asked: new AbortController(), done: Promise.resolve() };
    this.#held.set(piece.id, held);
    const control = { signal: held.abort.signal, asked: held.asked.signal, isStopping: () => this.#stopped };
    held.done = this.#options.work(piece, control).finally(() => {
      // After a takeover by this very process the entry may be its successor's.
      if (this.#held.get(piece.id) === held) this.#held.delete(piece.id);
      this.#alarm.notify();
    });
  }

  /** Callers at the same moment share one statement. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewAll().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  /** Whoever is not confirmed was cancelled, or lost its piece. While the database is away everybody goes on: the last word is its own. */
  async #renewAll(): Promise<void> {
    const { name, renew, log } = this.#options;
    const asked = performance.now();
    const held = [...this.#held.values()];
    const pieces = held.map(({ piece }) => piece);
    try {
      const confirmed = pieces.length > 0 ? await renew(pieces, this.#leaseMs) : undefined;
      this.#renewedAt = asked;
      for (const { piece, abort } of held) if (!confirmed?.has(piece.id)) abort.abort(new LeaseLost('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, `leases of ${name} were not renewed`);
    }
  }

  #giveBack(): void {
    for (const { abort } of this.#held.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
