import type pg from 'pg';
import { type Bus, BusUnavailable } from '../bus/bus.ts';
import { pause } from '../lifecycle/pause.ts';
import { type Logger } from '../log/logger.ts';
import { WakeSignal } from '../lifecycle/wake-signal.ts';
import { type PublishTarget, RowsRefused, publishRows } from './publish-rows.ts';
import { OutboxTable } from './outbox-table.ts';

/** Options of the relay. */
export interface RelayOptions extends PublishTarget {
  pool: pg.Pool;
  bus: Pick<Bus, 'connected' | 'publish' | 'onConnected'>;
  log: Logger;
  /** @default 'outbox' */
  table?: string;
  /** Rows in one round at most. @default 500 */
  batch?: number;
  /** How often to read the table without `kick`, in milliseconds. @default 1000 */
  idleMs?: number;
  /** How long to wait for more rows after `kick`, in milliseconds, so that messages are fewer and larger. @default 100 */
  gatherMs?: number;
}

/** A running relay. */
export interface Relay {
  /** Publishes soon: there is a new row. Cheap: call it after every local commit. */
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
 * Publishes rows of the outbox to the bus, oldest first: delete, publish with acknowledgement, commit. No event is lost; what was
 * published before a failed commit is published again, so consumers deduplicate by event id. Several replicas may run it.
 */
export function startRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options);
}

class OutboxRelay implements Relay {
  readonly #options: Required<RelayOptions>;
  readonly #table: OutboxTable;
  readonly #signal = new WakeSignal();
  readonly #running: Promise<void>;
  readonly #offConnected: () => void;
  /** Ids of rejected rows, skipped until the next start so that they do not block the rest. */
  readonly #parked = new Set<string>();
  #limit: number;
  #stopped = false;
  #stalledAt: number | undefined;
  #warned = false;

  constructor(options: RelayOptions) {
    this.#options = { table: 'outbox', batch: 500, idleMs: 1_000, gatherMs: 100, ...options };
    this.#table = new OutboxTable(options.pool, this.#options.table);
    this.#limit = this.#options.batch;
    this.#offConnected = options.bus.onConnected(() => this.#signal.notify());
    this.#running = this.#run();
  }

  kick(): void {
    // While stalled only the back-off applies; kicks come at the rate of the traffic and would cause a busy loop.
    if (this.#stalledAt === undefined) this.#signal.notify();
  }

  depth(): Promise<number> {
    return this.#table.count();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#offConnected();
    this.#signal.notify();
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
        const kicked = await this.#signal.wait(this.#options.idleMs);
        if (kicked && !this.#stopped) await pause(this.#options.gatherMs);
      } else {
        await this.#signal.wait(wait);
        wait = Math.min(wait * 2, LAST_WAIT_MS);
      }
    }
  }

  /** False when the broker or the database is not available. Logs one line when that begins and one when it ends. */
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
      // At start the broker may connect a moment later, which is not worth a log line.
      const isOld = performance.now() - this.#stalledAt >= QUIET_MS;
      if (isOld && !this.#warned) log.warn({ err }, 'outbox relay stalled; events wait in the database');
      this.#warned ||= isOld;
      return false;
    }
  }

  /** Publishes batches until one is not full. */
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

  /** Halves the batch size until the rejected row is alone, then skips it. */
  #narrow({ rows, cause }: RowsRefused): void {
    const [first] = rows;
    if (rows.length > 1 || !first) {
      this.#limit = rows.length >> 1;
      return;
    }
    this.#parked.add(first.id);
    this.#options.log.error({ err: cause, eventId: first.id, subject: first.subject }, 'event cannot be published; skipped');
  }
}
