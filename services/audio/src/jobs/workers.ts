import { Alarm } from '@parley/kit/outbox/alarm';
import { GatewayError } from '@parley/protos/errors';
import { type LeasedJob, LeaseLost, claimJobs, renewLeases } from '../store/leases.ts';
import { type WorkDeps, workOnJob } from './work-on-job.ts';

/** How jobs are worked on. */
export interface WorkersOptions extends WorkDeps {
  /** Shown in leases. */
  owner: string;
  /** Jobs at once in this process. */
  workers: number;
  /** Jobs of one workspace at once, over all replicas. */
  perWorkspace: number;
  /** How long a job waits after its worker has fallen silent, in milliseconds. @default 12_000 */
  leaseMs?: number;
  /** How often to look without being kicked, in milliseconds. @default 1_000 */
  idleMs?: number;
  /** How long jobs under way may take when it stops, in milliseconds. @default 20_000 */
  graceMs?: number;
}

interface Job {
  job: LeasedJob;
  abort: AbortController;
  /** In percent. */
  progress: number;
  done: Promise<void>;
}

/** A cancelled job's worker hears of it by notice, or when its lease is not renewed: no later than this. */
const RENEW_MS = 1_000;

/** Works on jobs that wait, a few at a time; any number of replicas share them. */
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
    this.#options = { leaseMs: 12_000, idleMs: 1_000, graceMs: 20_000, ...options };
    this.#running = this.#run();
    this.#heartbeat = setInterval(() => void this.#renew(), Math.min(RENEW_MS, this.#options.leaseMs / 4)).unref();
  }

  /** There is something new. */
  kick(): void {
    this.#alarm.ring();
  }

  /** The job has been cancelled, or begun anew: its engine stops at once. */
  cancel(id: string): void {
    this.#jobs.get(id)?.abort.abort(new LeaseLost('the job was cancelled or begun anew'));
  }

  /** Takes no more, lets what is under way finish for a while and gives the rest back. */
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
    const { store, workers, owner, leaseMs, perWorkspace, log } = this.#options;
    const providers = this.#options.providers.all.map(({ name }) => name);
    const limit = workers - this.#jobs.size;
    if (limit <= 0) return;
    try {
      for (const job of await claimJobs(store, { limit, owner, leaseMs, perWorkspace, providers })) this.#begin(job);
      this.#failing = false;
    } catch (err) {
      if (!this.#failing) log.warn({ err }, 'speech jobs that wait could not be asked for');
      this.#failing = true;
    }
  }

  #begin(job: LeasedJob): void {
    // Its lease ran out while the database was away: what the predecessor does no longer counts.
    this.cancel(job.id);
    const abort = new AbortController();
    const entry: Job = { job, abort, progress: 0, done: Promise.resolve() };
    this.#jobs.set(job.id, entry);
    const onProgress = (done: number) => (entry.progress = Math.min(99, Math.floor(done * 100)));
    entry.done = workOnJob(this.#options, job, abort.signal, onProgress).finally(() => {
      // After a takeover by this very process the entry may be its successor's.
      if (this.#jobs.get(job.id) === entry) this.#jobs.delete(job.id);
      this.#alarm.ring();
    });
  }

  /** Whoever is not confirmed was cancelled, or lost its job. While the database is away everybody goes on: the last word is its own. */
  async #renew(): Promise<void> {
    const held = [...this.#jobs.values()];
    if (held.length === 0 || this.#renewing) return;
    this.#renewing = true;
    const { store, leaseMs, log } = this.#options;
    try {
      const leases = held.map(({ job, progress }) => ({ id: job.id, generation: job.generation, progress }));
      const confirmed = await renewLeases(store, leases, leaseMs);
      for (const { job, abort } of held) if (!confirmed.has(job.id)) abort.abort(new LeaseLost('the lease was not renewed'));
    } catch (err) {
      log.debug({ err }, 'leases of speech jobs were not renewed');
    } finally {
      this.#renewing = false;
    }
  }

  #giveBack(): void {
    for (const { abort } of this.#jobs.values()) abort.abort(new GatewayError('SHUTTING_DOWN', 'the service is shutting down'));
  }
}
