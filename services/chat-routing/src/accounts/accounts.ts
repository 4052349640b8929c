import { type Bus } from '@parley/kit/bus/bus';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type BreakerPolicy, type BreakerState } from '../domain/breaker.ts';
import { type HealthEffect } from '../domain/failure.ts';
import { type SecretBox } from '../domain/secret-box.ts';
import { type ProviderRegistry } from '../providers/registry.ts';
import { type ConnectionRow, type ConnectionStore, type HealthRow } from '../store/connections.ts';
import { Account } from './account.ts';

/** Everything the registry of accounts works with. */
export interface AccountsDeps {
  store: ConnectionStore;
  providers: ProviderRegistry;
  secrets: SecretBox;
  bus: Bus;
  log: Logger;
  policy: BreakerPolicy;
  /** Called when an account that was expired or paused works again. */
  recovered(account: Account): void;
}

/** Workspaces kept in memory. */
const MAX_WORKSPACES = 10_000;
/** Notices may be lost: what is in memory is compared with the database this often. */
const REFRESH_MS = 2_000;
/** Workspaces that one query reads. */
const PAGE = 200;
const TOUCH_MS = 10_000;
/** A probing turn that has not ended by then gave the right back. */
const PROBE_MS = 90_000;

/** The accounts of a workspace as the database had them at a moment of this process's clock. */
interface Reading {
  readAt: number;
  accounts: readonly Account[];
}

/** The accounts of every workspace in use: read from memory on the hot path, shared between replicas through the database and notices. */
export class Accounts {
  readonly #deps: AccountsDeps;
  readonly #workspaces = new LRUCache<string, Reading>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<readonly Account[]>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  readonly #saving = new Set<Account>();
  #isRefreshing = false;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
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
    this.#notify(workspaceId);
  }

  /** Takes the right to probe a half-open account; false when another turn has it. */
  claimProbe(account: Account): Promise<boolean> {
    return this.#deps.store.claimProbe(account.id, PROBE_MS);
  }

  /** Gives the right to probe back. */
  releaseProbe(account: Account): void {
    this.#inBackground(this.#deps.store.releaseProbe(account.id));
  }

  /** Judges an account by how a turn on it went; what replicas must know is stored and told. */
  report(account: Account, effect: HealthEffect): void {
    this.#change(account, judge(account, effect, performance.now()));
  }

  /** The operator saw the account work; `anew`: with other credentials, or at another place. */
  connected(account: Account, anew: boolean): void {
    this.#change(account, account.window.connected(account.state, anew));
  }

  /** Writes down which accounts were used since the last time. */
  async touch(): Promise<void> {
    const used = this.#all().filter((account) => account.usedSinceTouch);
    if (used.length === 0) return;
    for (const account of used) account.usedSinceTouch = false;
    await this.#deps.store.touch(used.map(({ id }) => id));
  }

  #change(account: Account, next: BreakerState): void {
    const before = account.state;
    if (!account.change(next)) return;
    const { id, row } = account;
    const { status, health } = account.view();
    this.#deps.log.info({ connectionId: id, label: row.label, status, health }, 'connection health changed');
    if ((before.expired && !next.expired) || (before.openings > 0 && next.openings === 0)) this.#deps.recovered(account);
    this.#inBackground(this.#save(account));
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
      const accounts = rows.flatMap((row) => this.#adopt(known.get(row.id), row, readAt));
      this.#workspaces.set(workspaceId, { readAt, accounts });
      return accounts;
    });
  }

  #adopt(known: Account | undefined, row: ConnectionRow & HealthRow, readAt: number): Account[] {
    const { providers, policy, log } = this.#deps;
    if (!known && !providers.has(row.provider)) {
      log.error({ connectionId: row.id, provider: row.provider }, 'this release has no adapter for a connection');
      return [];
    }
    const secret = this.#decrypt(row.id, row.secret);
    const account = known ?? new Account(row, secret, providers.get(row.provider), policy);
    account.adopt(row, secret, readAt);
    return [account];
  }

  #decrypt(id: string, sealed: Uint8Array | null): string {
    if (!sealed) return '';
    try {
      return this.#deps.secrets.open(id, sealed);
    } catch (err) {
      // One unreadable secret must not take the other accounts down: the account shows as `configured`.
      this.#deps.log.error({ connectionId: id, err }, 'the secret of a connection cannot be decrypted');
      return '';
    }
  }

  /** One statement at a time for an account, so that the newest is the last. What fails is tried again with the next refresh. */
  async #save(account: Account): Promise<void> {
    if (this.#saving.has(account)) return;
    this.#saving.add(account);
    try {
      while (account.isUnsaved) {
        const { change, saved } = account.unsaved();
        await this.#deps.store.saveHealth(account.id, change);
        saved();
      }
    } finally {
      this.#saving.delete(account);
    }
    this.#notify(account.row.workspaceId);
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      for (const account of this.#all()) if (account.isUnsaved) await this.#save(account);
      const ids = [...this.#workspaces.keys()];
      for (let at = 0; at < ids.length; at += PAGE) await this.#load(ids.slice(at, at + PAGE));
    } finally {
      this.#isRefreshing = false;
    }
  }

  #all(): Account[] {
    return [...this.#workspaces.values()].flatMap(({ accounts }) => accounts);
  }

  #notify(workspaceId: string): void {
    this.#deps.bus.notify(NOTICES.connectionChanged, Buffer.from(workspaceId));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'connections could not be synchronised; trying again later'));
  }
}

function judge(account: Account, effect: HealthEffect, now: number): BreakerState {
  switch (effect) {
    case 'unknown':
      return account.state;
    case 'ok':
      return account.window.succeeded(account.state, now);
    case 'failure':
      return account.window.failed(account.state, now);
    case 'rate_limited':
      return account.window.rateLimited(account.state, now);
    case 'expired':
      return account.window.expired(account.state);
  }
}
