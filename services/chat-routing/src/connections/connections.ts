import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type ConnectionRow, readConnections, touchConnections } from '../store/connections.ts';
import { type HealthRow } from '../store/health.ts';
import { type Connection, type AnyConnection, isChatConnection } from './connection.ts';
import { type AdoptDeps, adoptRow } from './adopt-row.ts';
import { type HealthDeps, HealthKeeper } from './health-keeper.ts';
import { type Database } from '../store/database.ts';

/** Everything the registry of connections works with. */
export type ConnectionsDeps = AdoptDeps & HealthDeps & { database: Database };

/** Workspaces kept in memory. */
const MAX_WORKSPACES = 10_000;
/** How often health that could not be stored is stored, and, without the broker, what is in memory is compared with the database. */
const REFRESH_MS = 2_000;
/** The same comparison while notices arrive: one may be lost. */
const REFRESH_NOTIFIED_MS = 10_000;
/** Workspaces that one query reads. */
const PAGE = 200;
const TOUCH_MS = 10_000;

/** The connections of a workspace as the database had them at a moment of this process's clock. */
interface Reading {
  readAt: number;
  /** All of them. */
  every: readonly AnyConnection[];
  /** Those that turns run on. */
  connections: readonly Connection[];
}

const NOTHING: Reading = { readAt: 0, every: [], connections: [] };

/** The connections of every workspace in use: read from memory on the hot path, shared between replicas through the database and notices. */
export class Connections {
  /** What turns say about connections. */
  readonly health: HealthKeeper;
  readonly #deps: ConnectionsDeps;
  readonly #workspaces = new LRUCache<string, Reading>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<Reading>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: (() => void)[];
  #isRefreshing = false;
  #comparedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ConnectionsDeps) {
    this.#deps = deps;
    this.health = new HealthKeeper(deps);
    this.#unsubscribe = [
      deps.bus.onNotice(NOTICES.connectionChanged, (bytes) => {
        const workspaceId = Buffer.from(bytes).toString();
        if (this.#workspaces.has(workspaceId)) this.#inBackground(this.renew(workspaceId));
      }),
      // Notices of the outage were lost.
      deps.bus.onConnected(() => (this.#comparedAt = Number.NEGATIVE_INFINITY)),
    ];
    this.#timers = [
      setInterval(() => this.#inBackground(this.#refresh()), REFRESH_MS).unref(),
      setInterval(() => this.#inBackground(this.touch()), TOUCH_MS).unref(),
    ];
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** The chat accounts of a workspace, at once when they are in memory. */
  of(workspaceId: string): readonly Connection[] | Promise<readonly Connection[]> {
    return this.#workspaces.get(workspaceId)?.connections ?? this.reload(workspaceId);
  }

  /** The accounts of a workspace of whatever kind: for what lists and changes connections, and for those that are no chat accounts. */
  async everyOf(workspaceId: string): Promise<readonly AnyConnection[]> {
    return (this.#workspaces.get(workspaceId) ?? (await this.#read(workspaceId))).every;
  }

  /** Every connection in memory, of all workspaces. */
  list(): AnyConnection[] {
    return [...this.#workspaces.values()].flatMap(({ every }) => every);
  }

  /** A chat account. Throws CONNECTION_NOT_FOUND. */
  async find(workspaceId: string, id: string): Promise<Connection> {
    return found(await this.of(workspaceId), id);
  }

  /** A connection of whatever kind. Throws CONNECTION_NOT_FOUND. */
  async findEvery(workspaceId: string, id: string): Promise<AnyConnection> {
    return found(await this.everyOf(workspaceId), id);
  }

  /** Reads the chat connections of a workspace again; callers at the same moment share one query. */
  async reload(workspaceId: string): Promise<readonly Connection[]> {
    return (await this.#read(workspaceId)).connections;
  }

  /** After a change that this process made: every replica reads the connections again, this process before it answers. */
  async changed(workspaceId: string): Promise<void> {
    await this.renew(workspaceId);
    this.health.notify(workspaceId);
  }

  /** Writes down which connections were used since the last time. */
  async touch(): Promise<void> {
    const used = this.list().filter((connection) => connection.usedSinceTouch);
    if (used.length === 0) return;
    for (const connection of used) connection.usedSinceTouch = false;
    await touchConnections(
      this.#deps.database,
      used.map(({ id }) => id),
    );
  }

  /** True when a connection in memory is due to be probed. */
  hasDueProbe(): boolean {
    const now = performance.now();
    return this.list().some(({ row, state }) => row.enabled && state.probeAt !== 0 && state.probeAt <= now);
  }

  #read(workspaceId: string): Promise<Reading> {
    let loading = this.#loading.get(workspaceId);
    if (!loading) {
      loading = isUuid(workspaceId) ? this.#load([workspaceId]).then(([reading = NOTHING]) => reading) : Promise.resolve(NOTHING);
      this.#loading.set(workspaceId, loading);
      const forget = () => void this.#loading.delete(workspaceId);
      loading.then(forget, forget);
    }
    return loading;
  }

  /** Reads a workspace again, but never with a query that began before. */
  async renew(workspaceId: string): Promise<void> {
    await this.#loading.get(workspaceId)?.catch(() => undefined);
    await this.#read(workspaceId);
  }

  async #load(workspaceIds: readonly string[]): Promise<Reading[]> {
    const readAt = performance.now();
    const found = new Map(workspaceIds.map((workspaceId) => [workspaceId, [] as (ConnectionRow & HealthRow)[]]));
    for (const row of await readConnections(this.#deps.database, workspaceIds)) found.get(row.workspaceId)?.push(row);
    return [...found].map(([workspaceId, rows]) => {
      const before = this.#workspaces.peek(workspaceId);
      if (before && before.readAt > readAt) return before;
      const known = new Map(before?.every.map((connection) => [connection.id, connection]));
      const every = rows.flatMap((row) => adoptRow(this.#deps, known.get(row.id), row, readAt) ?? []);
      const reading = { readAt, every, connections: every.filter(isChatConnection) };
      this.#workspaces.set(workspaceId, reading);
      return reading;
    });
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      for (const connection of this.list()) if (connection.isUnsaved) await this.health.save(connection);
      await this.#compare();
    } finally {
      this.#isRefreshing = false;
    }
  }

  /** Reads every workspace in memory again, when that is due; again in the next round when it fails. */
  async #compare(): Promise<void> {
    const everyMs = this.#deps.bus.connected ? REFRESH_NOTIFIED_MS : 0;
    const startedAt = performance.now();
    if (startedAt - this.#comparedAt < everyMs) return;
    this.#comparedAt = startedAt;
    try {
      const ids = [...this.#workspaces.keys()];
      for (let at = 0; at < ids.length; at += PAGE) await this.#load(ids.slice(at, at + PAGE));
    } catch (error) {
      this.#comparedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'connections could not be synchronised; trying again later'));
  }
}

function found<T extends AnyConnection>(connections: readonly T[], id: string): T {
  const connection = connections.find((candidate) => candidate.id === id);
  if (!connection) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
  return connection;
}
