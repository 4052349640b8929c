import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type ConnectionRow, type ConnectionStore } from '../store/connections.ts';
import { type HealthRow } from '../store/health.ts';
import { type Account, type AnyAccount, isChatAccount } from './account.ts';
import { type AdoptDeps, adoptRow } from './adopt-row.ts';
import { type HealthDeps, HealthKeeper } from './health-keeper.ts';

/** Everything the registry of accounts works with. */
export type AccountsDeps = AdoptDeps & HealthDeps & { store: ConnectionStore };

/** Workspaces kept in memory. */
const MAX_WORKSPACES = 10_000;
/** Notices may be lost: what is in memory is compared with the database this often. */
const REFRESH_MS = 2_000;
/** Workspaces that one query reads. */
const PAGE = 200;
const TOUCH_MS = 10_000;

/** The accounts of a workspace as the database had them at a moment of this process's clock. */
interface Reading {
  readAt: number;
  /** All of them. */
  connections: readonly AnyAccount[];
  /** Those that turns run on. */
  accounts: readonly Account[];
}

const NOTHING: Reading = { readAt: 0, connections: [], accounts: [] };

/** The accounts of every workspace in use: read from memory on the hot path, shared between replicas through the database and notices. */
export class Accounts {
  /** What turns say about accounts. */
  readonly health: HealthKeeper;
  readonly #deps: AccountsDeps;
  readonly #workspaces = new LRUCache<string, Reading>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<Reading>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  #isRefreshing = false;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
    this.health = new HealthKeeper(deps);
    this.#unsubscribe = deps.bus.onNotice(NOTICES.connectionChanged, (bytes) => {
      const workspaceId = Buffer.from(bytes).toString();
      if (this.#workspaces.has(workspaceId)) this.#inBackground(this.renew(workspaceId));
    });
    this.#timers = [
      setInterval(() => this.#inBackground(this.#refresh()), REFRESH_MS).unref(),
      setInterval(() => this.#inBackground(this.touch()), TOUCH_MS).unref(),
    ];
  }

  close(): void {
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** The chat accounts of a workspace, at once when they are in memory. */
  of(workspaceId: string): readonly Account[] | Promise<readonly Account[]> {
    return this.#workspaces.get(workspaceId)?.accounts ?? this.reload(workspaceId);
  }

  /** The accounts of a workspace of whatever kind: for what lists and changes connections, and for those that are no chat accounts. */
  async everyOf(workspaceId: string): Promise<readonly AnyAccount[]> {
    return (this.#workspaces.get(workspaceId) ?? (await this.#read(workspaceId))).connections;
  }

  /** A chat account. Throws CONNECTION_NOT_FOUND. */
  async find(workspaceId: string, id: string): Promise<Account> {
    return found(await this.of(workspaceId), id);
  }

  /** An account of whatever kind. Throws CONNECTION_NOT_FOUND. */
  async findEvery(workspaceId: string, id: string): Promise<AnyAccount> {
    return found(await this.everyOf(workspaceId), id);
  }

  /** Reads the chat connections of a workspace again; callers at the same moment share one query. */
  async reload(workspaceId: string): Promise<readonly Account[]> {
    return (await this.#read(workspaceId)).accounts;
  }

  /** After a change that this process made: every replica reads the connections again, this process before it answers. */
  async changed(workspaceId: string): Promise<void> {
    await this.renew(workspaceId);
    this.health.notify(workspaceId);
  }

  /** Writes down which accounts were used since the last time. */
  async touch(): Promise<void> {
    const used = this.#all().filter((account) => account.usedSinceTouch);
    if (used.length === 0) return;
    for (const account of used) account.usedSinceTouch = false;
    await this.#deps.store.touch(used.map(({ id }) => id));
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
    for (const row of await this.#deps.store.load(workspaceIds)) found.get(row.workspaceId)?.push(row);
    return [...found].map(([workspaceId, rows]) => {
      const before = this.#workspaces.peek(workspaceId);
      if (before && before.readAt > readAt) return before;
      const known = new Map(before?.connections.map((account) => [account.id, account]));
      const connections = rows.flatMap((row) => adoptRow(this.#deps, known.get(row.id), row, readAt) ?? []);
      const reading = { readAt, connections, accounts: connections.filter(isChatAccount) };
      this.#workspaces.set(workspaceId, reading);
      return reading;
    });
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      for (const account of this.#all()) if (account.isUnsaved) await this.health.save(account);
      const ids = [...this.#workspaces.keys()];
      for (let at = 0; at < ids.length; at += PAGE) await this.#load(ids.slice(at, at + PAGE));
    } finally {
      this.#isRefreshing = false;
    }
  }

  #all(): AnyAccount[] {
    return [...this.#workspaces.values()].flatMap(({ connections }) => connections);
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'connections could not be synchronised; trying again later'));
  }
}

function found<T extends AnyAccount>(accounts: readonly T[], id: string): T {
  const account = accounts.find((candidate) => candidate.id === id);
  if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
  return account;
}
