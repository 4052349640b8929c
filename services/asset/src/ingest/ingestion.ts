import { Alarm } from '@parley/kit/outbox/alarm';
import { GatewayError } from '@parley/protos/errors';
import { type LeasedAsset, LeaseLost, claimAssets, renewLeases } from '../store/leases.ts';
import { type IngestDeps, ingestAsset } from './ingest-asset.ts';

/** How the ingestion works. */
export interface IngestionOptions extends IngestDeps {
  /** Shown in leases. */
  owner: string;
  /** Assets at once. */
  workers: number;
  /** How long an asset waits after its worker has fallen silent, in milliseconds. @default 12_000 */
  leaseMs?: number;
  /** How often to look without being kicked, in milliseconds. @default 1_000 */
  idleMs?: number;
  /** How long assets under way may take when it stops, in milliseconds. @default 20_000 */
  graceMs?: number;
}

/** An ingestion that runs. */
export interface Ingestion {
  /** There is something new. */
  kick(): void;
  /** Takes no more, lets what is under way finish for a while and gives the rest back. */
  stop(): Promise<void>;
}

/** Fetches assets that wait, a few at a time; any number of replicas share them. */
export function startIngestion(options: IngestionOptions): Ingestion {
  return new Workers(options);
}

interface Job {
  asset: LeasedAsset;
  abort: AbortController;
  done: Promise<void>;
}

class Workers implements Ingestion {
  readonly #options: Required<IngestionOptions>;
  readonly #alarm = new Alarm();
  readonly #jobs = new Map<string, Job>();
  readonly #running: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;
  #renewing = false;
  #stopped = false;
  #failing = false;

  constructor(options: IngestionOptions) {
    this.#options = { leaseMs: 12_000, idleMs: 1_000, graceMs: 20_000, ...options };
    this.#running = this.#run();
    this.#heartbeat = setInterval(() => void this.#renew(), this.#options.leaseMs / 4).unref();
  }

  kick(): void {
    this.#alarm.ring();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.ring();
    await this.#running;
    const late = setTimeout(() => this.#giveBack(), this.#options.graceMs);
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
    clearTimeout(late);
    clearInterval(this.#heartbeat);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#claim();
      await this.#alarm.wait(this.#options.idleMs);
    }
  }

  /** A database that is away is one line in the log, however long. */
  async #claim(): Promise<void> {
    const { store, workers, owner, leaseMs, log } = this.#options;
    const free = workers - this.#jobs.size;
    if (free <= 0) return;
    try {
      for (const asset of await claimAssets(store, free, owner, leaseMs)) this.#begin(asset);
      this.#failing = false;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, 'assets that wait could not be asked for');
      this.#failing = true;
    }
  }

  #begin(asset: LeasedAsset): void {
    const abort = new AbortController();
    const done = ingestAsset(this.#options, asset, abort.signal).finally(() => {
      // After a takeover by this very process the entry may be its successor's.
      if (this.#jobs.get(asset.id)?.abort === abort) this.#jobs.delete(asset.id);
      this.#alarm.ring();
    });
    this.#jobs.set(asset.id, { asset, abort, done });
  }

  /** Whoever is not confirmed has finished meanwhile, or lost its asset. While the database is away everybody goes on: the last word is its own. */
  async #renew(): Promise<void> {
    const held = [...this.#jobs.values()];
    if (held.length === 0 || this.#renewing) return;
    this.#renewing = true;
    const { store, leaseMs, log } = this.#options;
    try {
      const confirmed = await renewLeases(
        store,
        held.map(({ asset }) => asset),
        leaseMs,
      );
      for (const { asset, abort } of held) if (!confirmed.has(asset.id)) abort.abort(new LeaseLost('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, 'leases of assets were not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  #giveBack(): void {
    for (const { abort } of this.#jobs.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
