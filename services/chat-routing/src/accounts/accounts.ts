import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { LRUCache } from 'lru-cache';
import { type BreakerPolicy, type BreakerState } from '../domain/breaker.ts';
import { type HealthEffect } from '../domain/failure.ts';
import { type SecretBox } from '../domain/secret-box.ts';
import { type ProviderRegistry } from '../providers/registry.ts';
import { type ConnectionStore } from '../store/connections.ts';
import { Account } from './account.ts';

/** Everything the registry of accounts works with. */
export interface AccountsDeps {
  store: ConnectionStore;
  providers: ProviderRegistry;
  secrets: SecretBox;
  bus: Bus;
  log: Logger;
  policy: BreakerPolicy;
  /** Called when an expired account works again. */
  recovered(account: Account): void;
}

/** Workspaces kept in memory. */
const MAX_WORKSPACES = 10_000;
/** Notices may be lost: what is in memory is compared with the database this often. */
const REFRESH_MS = 5_000;
const TOUCH_MS = 10_000;
/** A probing turn that has not ended by then gave the right back. */
const PROBE_MS = 90_000;

/** The accounts of every workspace in use: read from memory on the hot path, shared between replicas through the database and notices. */
export class Accounts {
  readonly #deps: AccountsDeps;
  readonly #workspaces = new LRUCache<string, readonly Account[]>({ max: MAX_WORKSPACES });
  readonly #loading = new Map<string, Promise<readonly Account[]>>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unsubscribe: () => void;

  constructor(deps: AccountsDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.bus.onNotice(NOTICES.connectionChanged, (bytes) => {
      const workspaceId = Buffer.from(bytes).toString();
      if (this.#workspaces.has(workspaceId)) this.#inBackground(this.reload(workspaceId));
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
    return this.#workspaces.get(workspaceId) ?? this.reload(workspaceId);
  }

  /** Throws CONNECTION_NOT_FOUND. */
  async find(workspaceId: string, id: string): Promise<Account> {
    const account = (await this.of(workspaceId)).find((candidate) => candidate.id === id);
    if (!account) throw new GatewayError('CONNECTION_NOT_FOUND', 'no such connection', { param: 'connection_id' });
    return account;
  }

  /** Reads a workspace anew; callers at the same moment share one query. */
  reload(workspaceId: string): Promise<readonly Account[]> {
    let loading = this.#loading.get(workspaceId);
    if (!loading) {
      loading = this.#load(workspaceId).finally(() => this.#loading.delete(workspaceId));
      this.#loading.set(workspaceId, loading);
    }
    return loading;
  }

  /** After a change that this process made: everybody reads anew, this process before the answer. */
  async changed(workspaceId: string): Promise<void> {
    await this.#loading.get(workspaceId)?.catch(() => undefined);
    await this.reload(workspaceId);
    this.#notify(workspaceId);
  }

  /** Takes the right to probe a half-open account; false when another turn has it. */
  claimProbe(account: Account): Promise<boolean> {
    return this.#deps.store.claimProbe(account.id, PROBE_MS);
  }

  /** Judges an account by how a turn on it went; what replicas must know is stored and told. */
  report(account: Account, effect: HealthEffect): void {
    const now = performance.now();
    const before = account.state;
    account.state = judge(account, effect, now);
    if (account.state === before) return;
    account.unsaved = true;
    const { id, row } = account;
    this.#deps.log.info({ connectionId: id, label: row.label, status: account.view().status, health: account.view().health }, 'connection health changed');
    if (before.expired && !account.state.expired) this.#deps.recovered(account);
    this.#inBackground(this.#save(account));
  }

  /** A probing turn ended without saying anything about the account. */
  releaseProbe(account: Account): void {
    this.#inBackground(this.#deps.store.saveHealth(account.id, account.health()));
  }

  /** Writes down which accounts were used since the last time. */
  async touch(): Promise<void> {
    const used = [...this.#workspaces.values()].flat().filter((account) => account.usedSinceTouch);
    if (used.length === 0) return;
    for (const account of used) account.usedSinceTouch = false;
    await this.#deps.store.touch(used.map(({ id }) => id));
  }

  async #load(workspaceId: string): Promise<readonly Account[]> {
    const rows = await this.#deps.store.load(workspaceId);
    const known = new Map((this.#workspaces.get(workspaceId) ?? []).map((account) => [account.id, account]));
    const accounts = rows.map((row) => {
      const secret = this.#decrypt(row.id, row.secret);
      const account = known.get(row.id) ?? new Account(row, secret, this.#deps.providers.get(row.provider), this.#deps.policy);
      account.adopt(row, secret);
      return account;
    });
    this.#workspaces.set(workspaceId, accounts);
    return accounts;
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

  async #save(account: Account): Promise<void> {
    const saved = account.state;
    await this.#deps.store.saveHealth(account.id, account.health());
    if (account.state === saved) account.unsaved = false;
    this.#notify(account.row.workspaceId);
  }

  async #refresh(): Promise<void> {
    for (const [workspaceId, accounts] of [...this.#workspaces.entries()]) {
      for (const account of accounts) if (account.unsaved) await this.#save(account);
      await this.reload(workspaceId);
    }
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
    case 'none':
      return account.window.succeeded(account.state, now);
    case 'failure':
      return account.window.failed(account.state, now);
    case 'rate_limited':
      return account.window.rateLimited(account.state, now);
    case 'expired':
      return account.window.expired(account.state);
  }
}
