import { Alarm } from '@parley/kit/outbox/alarm';
import { GatewayError } from '@parley/protos/errors';
import { type LeasedRun, LeaseLost, claimRuns, renewLeases } from '../store/leases.ts';
import type { WorkDeps } from './work-deps.ts';
import { workOnRun } from './work-on-run.ts';

/** How runs are worked on. */
export interface WorkersOptions extends WorkDeps {
  /** Shown in leases. */
  owner: string;
  /** Runs at once in this process. */
  workers: number;
  /** Runs of one workspace at once, over all replicas. */
  perWorkspace: number;
  /** False: only runs that are asked to stop are taken up, and the others wait. */
  executing: boolean;
  /** How long a run waits after its worker has fallen silent, in milliseconds. */
  leaseMs: number;
  /** How often to look without being kicked, in milliseconds. @default 1_000 */
  idleMs?: number;
  /** How long steps under way may take when it stops, in milliseconds. @default 20_000 */
  graceMs?: number;
}

interface Job {
  run: LeasedRun;
  abort: AbortController;
  done: Promise<void>;
}

/** A worker that has lost its run hears of it no later than this. */
const RENEW_MS = 1_000;

/** Works on runs that are due, a few at a time; any number of replicas share them. */
export class Workers {
  readonly #options: Required<WorkersOptions>;
  readonly #alarm = new Alarm();
  readonly #jobs = new Map<string, Job>();
  readonly #running: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout;
  #renewing = false;
  #stopped = false;
  #failing = false;

  constructor(options: WorkersOptions) {
    this.#options = { idleMs: 1_000, graceMs: 20_000, ...options };
    this.#running = this.#loop();
    this.#heartbeat = setInterval(() => void this.#renew(), Math.min(RENEW_MS, this.#options.leaseMs / 4)).unref();
  }

  /** There is something new. */
  kick(): void {
    this.#alarm.ring();
  }

  /** Takes no more, lets steps under way end for a while, and gives every run back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm.ring();
    await this.#running;
    const late = setTimeout(() => this.#giveBack(), this.#options.graceMs);
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
    clearTimeout(late);
    clearInterval(this.#heartbeat);
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      await this.#claim();
      await this.#alarm.wait(this.#options.idleMs);
    }
  }

  /** A database that is away is one line in the log, however long. */
  async #claim(): Promise<void> {
    const { store, workers, owner, leaseMs, perWorkspace, executing, log } = this.#options;
    const limit = workers - this.#jobs.size;
    if (limit <= 0) return;
    try {
      // Leases that ran out while the database was away are still ours, as long as nobody else has taken them.
      if (this.#failing) await this.#renew();
      for (const run of await claimRuns(store, { limit, owner, leaseMs, perWorkspace, executing })) this.#begin(run);
      this.#failing = false;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, 'runs that are due could not be asked for');
      this.#failing = true;
    }
  }

  #begin(run: LeasedRun): void {
    // Its lease ran out while the database was away: what the predecessor does no longer counts.
    this.#jobs.get(run.id)?.abort.abort(new LeaseLost('the run was taken up anew'));
    const abort = new AbortController();
    const job: Job = { run, abort, done: Promise.resolve() };
    this.#jobs.set(run.id, job);
    job.done = workOnRun(this.#options, run, { signal: abort.signal, isStopping: () => this.#stopped }).finally(() => {
      // After a takeover by this very process the entry may be its successor's.
      if (this.#jobs.get(run.id) === job) this.#jobs.delete(run.id);
      this.#alarm.ring();
    });
  }

  /** Whoever is not confirmed has lost its run. While the database is away everybody goes on: the last word is its own. */
  async #renew(): Promise<void> {
    const held = [...this.#jobs.values()];
    if (held.length === 0 || this.#renewing) return;
    this.#renewing = true;
    const { store, leaseMs, log } = this.#options;
    try {
      const leases = held.map(({ run: { id, generation } }) => ({ id, generation }));
      const confirmed = await renewLeases(store, leases, leaseMs);
      for (const { run, abort } of held) if (!confirmed.has(run.id)) abort.abort(new LeaseLost('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, 'leases of runs were not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  #giveBack(): void {
    for (const { abort } of this.#jobs.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
