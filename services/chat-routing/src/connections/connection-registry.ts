import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type ConnectionRow, readConnections, touchConnections } from '../store/connections.ts';
import { type Database } from '../store/database.ts';
import { type HealthRow } from '../store/health.ts';
import { type ConnectionRowDeps, applyConnectionRow } from './apply-connection-row.ts';
import { type Connection, type AnyConnection, isChatConnection } from './connection.ts';
import { type HealthDeps, HealthTracker } from './health-tracker.ts';

/** Dependencies of `ConnectionRegistry`. */
export type ConnectionRegistryDeps = ConnectionRowDeps & HealthDeps & { database: Database };

/** Workspaces kept in memory. */
const MAX_WORKSPACES = 10_000;
/** Interval at which unsaved health is stored again and, without the message broker, memory is refreshed from the database. */
const REFRESH_MS = 2_000;
/** Interval of the refresh while the broker is connected; a notice may be lost. */
const REFRESH_NOTIFIED_MS = 10_000;
/** Workspaces per query. */
const PAGE = 200;
const TOUCH_MS = 10_000;

/** The connections of a workspace as read from the database at `readAt` (local monotonic clock). */
interface Reading {
  readAt: number;
  /** Connections of every purpose. */
  every: readonly AnyConnection[];
  /** Chat connections only. */
  connections: readonly Connection[];
}

const NOTHING: Reading = { readAt: 0, every: [], connections: [] };

/**
 * In-memory registry of the connections of all workspaces in use. Replicas share changes through the database and bus notices.
 */
export class ConnectionRegistry {
  /** Updates the health of connections from outcomes. */
  readonly health: HealthTracker;
  readonly #deps: ConnectionRegistryDeps;
  readonly #workspaces = new LRUCache<string, Reading>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<Reading>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: (() => void)[];
  #isRefreshing = false;
  #comparedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: ConnectionRegistryDeps) {
    this.#deps = deps;
    this.health = new HealthTracker(deps);
    this.#unsubscribe = [
      deps.bus.onNotice(NOTICES.connectionChanged, (bytes) => {
        const workspaceId = Buffer.from(bytes).toString();
        if (this.#workspaces.has(workspaceId)) this.#inBackground(this.reloadFresh(workspaceId));
      }),
      // Notices that were sent during the outage are lost, so refresh at once.
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

  /** The chat connections of a workspace; synchronous when they are in memory. */
  listChat(workspaceId: string): readonly Connection[] | Promise<readonly Connection[]> {
    return this.#workspaces.get(workspaceId)?.connections ?? this.reload(workspaceId);
  }

  /** The connections of a workspace of every purpose: for listing and changing connections, and for those that are not for chats. */
  async listAll(workspaceId: string): Promise<readonly AnyConnection[]> {
    return (this.#workspaces.get(workspaceId) ?? (await this.#read(workspaceId))).every;
  }

  /** All connections in memory, of all workspaces and purposes. */
  listLoaded(): AnyConnection[] {
    return [...this.#workspaces.values()].flatMap(({ every }) => every);
  }

  /** Returns the chat connection with this id. Throws CONNECTION_NOT_FOUND. */
  async getChat(workspaceId: string, id: string): Promise<Connection> {
    return found(await this.listChat(workspaceId), id);
  }

  /** Returns the connection with this id, of any purpose. Throws CONNECTION_NOT_FOUND. */
  async getAny(workspaceId: string, id: string): Promise<AnyConnection> {
    return found(await this.listAll(workspaceId), id);
  }

  /** Reads a workspace from the database and returns its chat connections. Concurrent callers share one query. */
  async reload(workspaceId: string): Promise<readonly Connection[]> {
    return (await this.#read(workspaceId)).connections;
  }

  /** Call after this process changed a connection in the database: reloads the workspace here, then notifies the other replicas. */
  async reloadAndNotify(workspaceId: string): Promise<void> {
    await this.reloadFresh(workspaceId);
    this.health.notifyReplicas(workspaceId);
  }

  /** Stores the time of use of the connections that were used since the last call. */
  async touch(): Promise<void> {
    const used = this.listLoaded().filter((connection) => connection.usedSinceTouch);
    if (used.length === 0) return;
    for (const connection of used) connection.usedSinceTouch = false;
    await touchConnections(
      this.#deps.database,
      used.map(({ id }) => id),
    );
  }

  /** Whether a connection in memory is due for a probe. */
  hasDueProbe(): boolean {
    const now = performance.now();
    return this.listLoaded().some(({ row, state }) => row.enabled && state.probeAt !== 0 && state.probeAt <= now);
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

  /** Reads a workspace from the database with a query that starts after this call. */
  async reloadFresh(workspaceId: string): Promise<void> {
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
      const every = rows.flatMap((row) => applyConnectionRow(this.#deps, known.get(row.id), row, readAt) ?? []);
      const reading = { readAt, every, connections: every.filter(isChatConnection) };
      this.#workspaces.set(workspaceId, reading);
      return reading;
    });
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      for (const connection of this.listLoaded()) if (connection.hasUnsavedState) await this.health.save(connection);
      await this.#compare();
    } finally {
      this.#isRefreshing = false;
    }
  }

  /** Reads every workspace in memory again when the interval has elapsed; after a failure, again at the next tick. */
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
