import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type ConnectionRow, type HealthRow } from '../store/connections.ts';
import { type Account } from './account.ts';
import { type AdoptDeps, adoptRow } from './adopt-row.ts';
import { type HealthDeps, HealthKeeper } from './health-keeper.ts';

/** Everything the registry of accounts works with. */
export type AccountsDeps = AdoptDeps & HealthDeps;

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
  accounts: readonly Account[];
}

/** The accounts of every workspace in use: read from memory on the hot path, shared between replicas through the database and notices. */
export class Accounts {
  /** What turns say about accounts. */
  readonly health: HealthKeeper;
  readonly #deps: AccountsDeps;
  readonly #workspaces = new LRUCache<string, Reading>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<readonly Account[]>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  #isRefreshing = false;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
    this.health = new HealthKeeper(deps);
    this.#unsubscribe = deps.bus.onNotice(NOTICES.connectionChanged, (bytes) => {
      const workspaceId = Buffer.from(bytes).toString();
      if (this.#workspaces.has(workspaceId)) this.#inBackground(this.#renew(workspaceId));
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

  /** The accounts of a workspace, at once when they are in memory. */
  of(workspaceId: string): readonly Account[] | Promise<readonly Account[]> {
    return this.#workspaces.get(workspaceId)?.accounts ?? this.reload(workspaceId);
  }

  /** Throws CONNECTION_NOT_FOUND. */
  async find(workspaceId: string, id: string): Promise<Account> {
    const account = (await this.of(workspaceId)).find((candidate) => candidate.id === id);
    if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
    return account;
  }

  /** Reads a workspace anew; callers at the same moment share one query. */
  async reload(workspaceId: string): Promise<readonly Account[]> {
    if (!isUuid(workspaceId)) return [];
    let loading = this.#loading.get(workspaceId);
    if (!loading) {
      loading = this.#load([workspaceId]).then(([accounts = []]) => accounts);
      this.#loading.set(workspaceId, loading);
      const forget = () => void this.#loading.delete(workspaceId);
      loading.then(forget, forget);
    }
    return loading;
  }

  /** After a change that this process made: everybody reads anew, this process before the answer. */
  async changed(workspaceId: string): Promise<void> {
    await this.#renew(workspaceId);
    this.health.notify(workspaceId);
  }

  /** Writes down which accounts were used since the last time. */
  async touch(): Promise<void> {
    const used = this.#all().filter((account) => account.usedSinceTouch);
    if (used.length === 0) return;
    for (const account of used) account.usedSinceTouch = false;
    await this.#deps.store.touch(used.map(({ id }) => id));
  }

  /** Like `reload`, but never with an answer that was on its way before. */
  async #renew(workspaceId: string): Promise<void> {
    await this.#loading.get(workspaceId)?.catch(() => undefined);
    await this.reload(workspaceId);
  }

  async #load(workspaceIds: readonly string[]): Promise<(readonly Account[])[]> {
    const readAt = performance.now();
    const found = new Map(workspaceIds.map((workspaceId) => [workspaceId, [] as (ConnectionRow & HealthRow)[]]));
    for (const row of await this.#deps.store.load(workspaceIds)) found.get(row.workspaceId)?.push(row);
    return [...found].map(([workspaceId, rows]) => {
      const before = this.#workspaces.peek(workspaceId);
      if (before && before.readAt > readAt) return before.accounts;
      const known = new Map(before?.accounts.map((account) => [account.id, account]));
      const accounts = rows.flatMap((row) => adoptRow(this.#deps, known.get(row.id), row, readAt) ?? []);
      this.#workspaces.set(workspaceId, { readAt, accounts });
      return accounts;
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

  #all(): Account[] {
    return [...this.#workspaces.values()].flatMap(({ accounts }) => accounts);
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'connections could not be synchronised; trying again later'));
  }
}
