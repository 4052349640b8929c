import type pg from 'pg';
import { type Bus, BusUnavailableError } from '../bus/bus.ts';
import { getServiceLabel } from '../db/pool.ts';
import { pause } from '../lifecycle/pause.ts';
import { WakeSignal } from '../lifecycle/wake-signal.ts';
import { type Logger } from '../log/logger.ts';
import { throttleRead, observeGauge } from '../telemetry/meter.ts';
import { OutboxTable } from './outbox-table.ts';
import { type PublishTarget, RowsRejectedError, publishRows } from './publish-rows.ts';

/** Options of the relay. */
export interface RelayOptions extends PublishTarget {
  pool: pg.Pool;
  bus: Pick<Bus, 'connected' | 'publish' | 'onConnected'>;
  log: Logger;
  /** The label `service` of the outbox's metrics. @default the name of the pool's application */
  service?: string;
  /** @default 'outbox' */
  table?: string;
  /** Maximum number of rows in one transaction. @default 500 */
  batch?: number;
  /**
   * How often to poll for rows without `publishSoon`, in milliseconds: finds rows of a process that ended before it published them.
   * @default 10000
   */
  idleMs?: number;
  /** How long to wait for more rows after `publishSoon`, in milliseconds, so that messages are fewer and larger. @default 250 */
  gatherMs?: number;
}

/** A running relay. */
export interface Relay {
  /** Publishes soon, as there is a new row. Cheap: call it after every local commit. */
  publishSoon(): void;
  /** Resolves with the number of waiting rows, counted up to 100,000. */
  depth(): Promise<number>;
  /** Publishes once more if the broker is connected, and resolves when the relay has ended. */
  stop(): Promise<void>;
}

const FIRST_WAIT_MS = 250;
const LAST_WAIT_MS = 5_000;
const QUIET_MS = 2_000;
const MAX_PARKED = 1_000;
/** Shortest interval between two queries of the outbox for metrics, in milliseconds. */
const OBSERVE_MS = 5_000;

/**
 * Publishes rows of the outbox to the bus, oldest first: delete, publish with acknowledgement, commit. No event is lost; an event published
 * before a failed commit is published again, so consumers deduplicate by event id. Several replicas may run it.
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
  readonly #unobserve: () => void;
  /** Ids of rejected rows, skipped until the next start so that they do not block the rest. */
  readonly #parked = new Set<string>();
  #limit: number;
  #stopped = false;
  #stalledAt: number | undefined;
  #warned = false;

  constructor(options: RelayOptions) {
    const service = getServiceLabel(options.pool);
    this.#options = { service, table: 'outbox', batch: 500, idleMs: 10_000, gatherMs: 250, ...options };
    this.#table = new OutboxTable(options.pool, this.#options.table);
    this.#limit = this.#options.batch;
    this.#offConnected = options.bus.onConnected(() => this.#signal.notify());
    this.#unobserve = observeBacklog(this.#table, this.#options.service);
    this.#running = this.#run();
  }

  publishSoon(): void {
    // While stalled only the back-off applies; these calls come at the rate of the traffic and would cause a busy loop.
    if (this.#stalledAt === undefined) this.#signal.notify();
  }

  async depth(): Promise<number> {
    return (await this.#table.backlog()).rows;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#offConnected();
    this.#unobserve();
    this.#signal.notify();
    await this.#running;
  }

  async #run(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    let kicked = true;
    for (let last = false; !last;) {
      last = this.#stopped;
      const moved = await this.#attempt(kicked);
      if (last) return;
      if (moved) {
        wait = FIRST_WAIT_MS;
        kicked = await this.#signal.wait(this.#options.idleMs);
        if (kicked && !this.#stopped) await pause(this.#options.gatherMs);
      } else {
        kicked = true;
        await this.#signal.wait(wait);
        wait = Math.min(wait * 2, LAST_WAIT_MS);
      }
    }
  }

  /**
   * Publishes the waiting rows; returns false when the broker or the database is not available, and logs one line when that begins and one
   * when it ends. Unless `kicked` by `publishSoon`, it queries for rows first: one statement instead of a transaction, as there are hardly
   * ever any.
   */
  async #attempt(kicked: boolean): Promise<boolean> {
    const { bus, log } = this.#options;
    try {
      if (!bus.connected) throw new BusUnavailableError('the message broker is not available');
      if (kicked || (await this.#table.hasRows())) await this.#moveAll();
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
        const moved = await this.#table.processRows(limit, [...this.#parked], (rows) => publishRows(this.#options, rows));
        this.#limit = Math.min(limit * 2, this.#options.batch);
        if (moved < limit) return;
      } catch (error) {
        if (!(error instanceof RowsRejectedError) || this.#parked.size >= MAX_PARKED) throw error;
        this.#narrow(error);
      }
    }
  }

  /** Halves the batch size until the rejected row is alone, then skips it. */
  #narrow({ rows, cause }: RowsRejectedError): void {
    const [first] = rows;
    if (rows.length > 1 || !first) {
      this.#limit = rows.length >> 1;
      return;
    }
    this.#parked.add(first.id);
    this.#options.log.error({ err: cause, eventId: first.id, subject: first.subject }, 'event cannot be published; skipped');
  }
}

/** Reports the backlog, with one query for both gauges. The returned function stops it. */
function observeBacklog(table: OutboxTable, service: string): () => void {
  const labels = { service };
  const backlog = throttleRead(OBSERVE_MS, () => table.backlog());
  const ends = [
    observeGauge('parley_outbox_rows', async () => [{ labels, value: (await backlog()).rows }]),
    observeGauge('parley_outbox_oldest_seconds', async () => [{ labels, value: (await backlog()).oldestSeconds }]),
  ];
  return () => ends.forEach((end) => end());
}
