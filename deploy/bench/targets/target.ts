import { type BacklogSource } from '../measure/backlog.ts';

/** Where a target starts: what it forwards to, and what it may use. */
export interface Site {
  /** Base URL of the mock, without a path. */
  upstreamUrl: string;
  /** Process id of the mock: what `direct` measures. */
  upstreamPid: number;
  /** Core for the target and everything it starts; undefined where nothing is pinned. */
  core: number | undefined;
  /** Folder for what is obtained on demand; git-ignored. */
  cacheDir: string;
  /** Its PostgreSQL counts statements (pg_stat_statements), which costs a little. @default false */
  countsStatements?: boolean;
  /** It notes how late its event loop is, which wakes it a thousand times a second. @default false */
  watchesEventLoop?: boolean;
}

/** What a scenario asks of a target besides. */
export type Extras = Pick<Site, 'countsStatements' | 'watchesEventLoop'>;

/** What the load got from a target. */
export interface Expected {
  /** Complete, correct answers. */
  answered: number;
  /** Streams that the load broke off; the gateway may have been quicker, so they may have ended either way. */
  aborted: number;
  /** Speech jobs, which the usage report counts as well. @default 0 */
  jobs?: number;
  /** Requests that were refused with a status of 400 to 499, which the usage report counts as well. @default 0 */
  refused?: number;
}

/** What the target itself says it did, held against what the load got. */
export interface Verification {
  /** True when every figure agrees with what the load got. */
  ok: boolean;
  /** One line, such as "verified: 120 of 120". */
  summary: string;
}

/** A target that answers. */
export interface RunningTarget {
  /** Base URL, without a path. */
  url: string;
  /** Headers that every request to it needs. */
  headers: Record<string, string>;
  /** Name and version of what runs. */
  version: string;
  /** How this target calls a model of the mock. */
  model(name: string): string;
  /** The processes to measure; what they start counts with them. */
  pids(): number[];
  /** Holds the target's own record against what the load got; absent where nothing is recorded. */
  verify?(expected: Expected): Promise<Verification>;
  /** What the record holds now counts for nothing in later verifications. */
  rebase?(): Promise<void>;
  /** The PostgreSQL of its record; absent where nothing is recorded. */
  databaseUrl?: string;
  /** Opens the reader of its backlog; absent for a target without one. */
  openBacklog?(): Promise<BacklogSource>;
  /** Where it notes how late its event loop is, if it does: lines of a time in ms since 1970 and the longest delay before it, in ms. */
  eventLoopFile?: string;
  stop(): Promise<void>;
}

/** One thing that stands between a client and the upstream. */
export interface Target {
  name: string;
  /** Starts it; throws NotAvailable where it cannot be had. */
  start(site: Site): Promise<RunningTarget>;
}

/** A target that cannot be had on this machine, and why: it is listed so, never replaced. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}
