import { setTimeout as delay } from 'node:timers/promises';
import { type BacklogSource } from '../measure/backlog.ts';
import { settle } from '../run/measured.ts';
import { type StartedTarget } from '../run/rig.ts';
import { microsByName, type ProcessTime, type ProcessTimes, readProcessTimes } from './process-times.ts';
import { DatabaseAccount, type DatabaseMoment } from './statements.ts';

const IDLE_SLICES = 5;
/** Names of PostgreSQL's backends, and of the backend that serves the bench. */
const BACKEND = 'postgres: backend';
const OWN = `${BACKEND} of bench`;
const SAMPLE_MS = 250;
/** How long the target has to stay at its idle level. */
const CALM_MS = 2_000;
/** A difference to the idle level below this is ignored: an idle process works in bursts. */
const IDLE_FACTOR = 1.25;
const IDLE_MARGIN_CORES = 0.005;
const PATIENCE_MS = 300_000;
/** PostgreSQL's backends report what they have written with this delay. */
const TELL_MS = 11_000;
/** Backends have reported at least this part of the WAL written. */
const REPORTED = 0.97;

/** What a target did between two moments. */
export interface Reading {
  at: number;
  times: ProcessTimes;
}

/** A target's idle level, in cores: all of it, and by process. */
export interface IdleLevel {
  cores: number;
  byName: ReadonlyMap<string, number>;
}

/** Reads everything that a target costs. */
export class CostAccount {
  readonly #target: StartedTarget;
  readonly #database: DatabaseAccount | undefined;
  readonly #backlog: BacklogSource | undefined;
  /** The last reading of each process. */
  readonly #seen = new Map<number, { at: number; time: ProcessTime }>();

  private constructor(target: StartedTarget, database: DatabaseAccount | undefined, backlog: BacklogSource | undefined) {
    this.#target = target;
    this.#database = database;
    this.#backlog = backlog;
  }

  static async open(target: StartedTarget): Promise<CostAccount> {
    const { databaseUrl } = target.running;
    const database = databaseUrl === undefined ? undefined : await DatabaseAccount.open(databaseUrl);
    return new CostAccount(target, database, await target.running.openBacklog?.());
  }

  read(): Reading {
    const reading = { at: performance.now(), times: readProcessTimes(this.#target.running.pids()) };
    for (const [pid, time] of reading.times) this.#seen.set(pid, { at: reading.at, time });
    return reading;
  }

  /** CPU µs by process between two readings; the bench's own connection is not in it. */
  between(before: Reading, after: Reading): Map<string, number> {
    const gone = [...this.#seen].filter(([pid, { at }]) => at >= before.at && at <= after.at && !after.times.has(pid));
    const ended = new Map(gone.map(([pid, { time }]) => [pid, time]));
    const sums = microsByName(before.times, after.times, ended, (pid, name) => {
      const application = name === BACKEND ? this.#database?.applicationOf(pid) : undefined;
      return application === undefined ? name : `${name} of ${application}`;
    });
    sums.delete(OWN);
    return sums;
  }

  /** Measures what the target uses without load, once no work is pending: the median of several slices. */
  async idleLevel(): Promise<IdleLevel> {
    await settle(this.#target);
    while (!(await this.#nothingWaits())) await delay(4 * SAMPLE_MS);
    const slices: IdleLevel[] = [];
    let before = this.read();
    for (let slice = 0; slice < IDLE_SLICES; slice++) {
      await delay(CALM_MS);
      await this.#database?.readBackends();
      const after = this.read();
      const micros = (after.at - before.at) * 1_000;
      const byName = new Map([...this.between(before, after)].map(([name, used]) => [name, used / micros]));
      slices.push({ cores: sum(byName.values()), byName });
      before = after;
    }
    slices.sort((a, b) => a.cores - b.cores);
    const middle = slices[Math.floor(IDLE_SLICES / 2)];
    if (!middle) throw new Error('no idle level was measured');
    return middle;
  }

  /** Waits until the target has been at its idle level for two seconds without a backlog; undefined when it never is. */
  async idleAgain(idle: IdleLevel): Promise<Reading | undefined> {
    const most = idle.cores * IDLE_FACTOR + IDLE_MARGIN_CORES;
    const giveUp = performance.now() + PATIENCE_MS;
    let readings = [this.read()];
    while (performance.now() < giveUp) {
      await delay(SAMPLE_MS);
      const now = this.read();
      if (readings.length % 4 === 1) await this.#database?.readBackends();
      readings.push(now);
      readings = readings.filter(({ at }) => at >= now.at - CALM_MS - SAMPLE_MS);
      const [first] = readings;
      if (!first || now.at - first.at < CALM_MS) continue;
      const cores = sum(this.between(first, now).values()) / ((now.at - first.at) * 1_000);
      if (cores > most) continue;
      if (await this.#nothingWaits()) return now;
      readings = [];
    }
    return undefined;
  }

  /** What the database has done so far; undefined where there is none. */
  async database(): Promise<DatabaseMoment | undefined> {
    return this.#database?.read();
  }

  /** The same, once its backends have reported what they wrote. */
  async databaseTold(before: DatabaseMoment | undefined): Promise<DatabaseMoment | undefined> {
    const giveUp = performance.now() + TELL_MS;
    let moment = await this.database();
    while (moment && before && performance.now() < giveUp) {
      if (writtenByBackends(before, moment) >= REPORTED * (moment.walBytes - before.walBytes)) break;
      await delay(4 * SAMPLE_MS);
      moment = await this.database();
    }
    return moment;
  }

  async close(): Promise<void> {
    await this.#database?.close();
    await this.#backlog?.close();
  }

  async #nothingWaits(): Promise<boolean> {
    const backlog = await this.#backlog?.read();
    return backlog === undefined || (backlog.outboxRows === 0 && backlog.pendingMessages === 0);
  }
}

function writtenByBackends(before: DatabaseMoment, after: DatabaseMoment): number {
  return sum([...after.backends].map(([pid, { walBytes }]) => walBytes - (before.backends.get(pid)?.walBytes ?? 0)));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
