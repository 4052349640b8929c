import type pg from 'pg';
import { type Bus, BusUnavailable } from '../bus/bus.ts';
import { pause } from '../lifecycle/pause.ts';
import type { Logger } from '../log/logger.ts';
import { Signal } from '../lifecycle/signal.ts';
import { type PublishTarget, RowsRefused, publishRows } from './publish-rows.ts';
import { OutboxTable } from './outbox-table.ts';

/** What the relay moves, and how. */
export interface RelayOptions extends PublishTarget {
  pool: pg.Pool;
  bus: Pick<Bus, 'connected' | 'publish' | 'onConnected'>;
  log: Logger;
  /** @default 'outbox' */
  table?: string;
  /** Rows in one round at most. @default 500 */
  batch?: number;
  /** How often to look without being kicked, in milliseconds. @default 1000 */
  idleMs?: number;
  /** How long to gather after a kick, in milliseconds: fewer, larger messages cost everybody less. @default 100 */
  gatherMs?: number;
}

/** A relay that runs. */
export interface Relay {
  /** There is something new. Cheap: call it after every local commit. */
  kick(): void;
  /** Rows that wait, counted up to 100,000. */
  depth(): Promise<number>;
  /** Makes a last round if the broker is there and resolves when nothing is in flight. */
  stop(): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;
const QUIET_MS = 2_000;
const MAX_PARKED = 1_000;

/**
 * Moves rows of the outbox to the bus, oldest first: delete, publish with acknowledgement, commit. Nothing is lost; what was
 * published before a failed commit is published again, so consumers tell events apart by their ids. Several replicas may run it.
 */
export function startRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options);
}

class OutboxRelay implements Relay {
  readonly #options: Required<RelayOptions>;
  readonly #table: OutboxTable;
  readonly #alarm = new Signal();
  readonly #running: Promise<void>;
  readonly #offConnected: () => void;
  /** Ids of refused rows, set aside until the next start so that they do not hold up the rest. */
  readonly #parked = new Set<string>();
  #limit: number;
  #stopped = false;
  #stalledAt: number | undefined;
  #warned = false;

  constructor(options: RelayOptions) {
    this.#options = { table: 'outbox', batch: 500, idleMs: 1_000, gatherMs: 100, ...options };
    this.#table = new OutboxTable(options.pool, this.#options.table);
    this.#limit = this.#options.batch;
    this.#offConnected = options.bus.onConnected(() => this.#alarm.notify());
    this.#running = this.#run();
  }

  kick(): void {
    // While stalled the back-off decides; kicks come at the rate of the traffic and would make it spin.
    if (this.#stalledAt === undefined) this.#alarm.notify();
  }

  depth(): Promise<number> {
    return this.#table.count();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#offConnected();
    this.#alarm.notify();
    await this.#running;
  }

  async #run(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    for (let last = false; !last;) {
      last = this.#stopped;
      const moved = await this.#attempt();
      if (last) return;
      if (moved) {
        wait = FIRST_WAIT_MS;
        const kicked = await this.#alarm.wait(this.#options.idleMs);
        if (kicked && !this.#stopped) await pause(this.#options.gatherMs);
      } else {
        await this.#alarm.wait(wait);
        wait = Math.min(wait * 2, LAST_WAIT_MS);
      }
    }
  }

  /** False when the broker or the database is away. One line when that begins and one when it ends. */
  async #attempt(): Promise<boolean> {
    const { bus, log } = this.#options;
    try {
      if (!bus.connected) throw new BusUnavailable('the message broker is not available');
      await this.#moveAll();
      if (this.#warned) log.info('outbox relay resumed');
      this.#stalledAt = undefined;
      this.#warned = false;
      return true;
    } catch (err) {
      this.#stalledAt ??= performance.now();
      // The broker may be a moment behind us at start, which nobody needs to hear.
      const isOld = performance.now() - this.#stalledAt >= QUIET_MS;
      if (isOld && !this.#warned) log.warn({ err }, 'outbox relay stalled; events wait in the database');
      this.#warned ||= isOld;
      return false;
    }
  }

  /** Rounds until one finds less than it could have taken. */
  async #moveAll(): Promise<void> {
    for (;;) {
      const limit = this.#limit;
      try {
        const moved = await this.#table.take(limit, [...this.#parked], (rows) => publishRows(this.#options, rows));
        this.#limit = Math.min(limit * 2, this.#options.batch);
        if (moved < limit) return;
      } catch (error) {
        if (!(error instanceof RowsRefused) || this.#parked.size >= MAX_PARKED) throw error;
        this.#narrow(error);
      }
    }
  }

  /** Halves the rounds until the refused row is alone, then sets it aside. */
  #narrow({ rows, cause }: RowsRefused): void {
    const [first] = rows;
    if (rows.length > 1 || !first) {
      this.#limit = rows.length >> 1;
      return;
    }
    this.#parked.add(first.id);
    this.#options.log.error({ err: cause, eventId: first.id, subject: first.subject }, 'event cannot be published; set aside');
  }
}
