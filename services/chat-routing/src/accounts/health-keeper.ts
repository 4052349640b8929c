import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { NOTICES } from '@parley/protos/subjects';
import { type BreakerState, withFeature } from '../domain/breaker.ts';
import { type Feature, type HealthEffect } from '../domain/failure.ts';
import { type ConnectionStore } from '../store/connections.ts';
import { type AnyAccount } from './account.ts';

/** What keeping the health of accounts works with. */
export interface HealthDeps {
  store: ConnectionStore;
  bus: Bus;
  log: Logger;
  /** Called when an account that was expired or paused works again. */
  recovered(account: AnyAccount): void;
}

/** A probing turn that has not ended by then gave the right back. */
const PROBE_MS = 90_000;

/** Judges accounts by how turns on them went; what replicas must know is stored and told. */
export class HealthKeeper {
  readonly #deps: HealthDeps;
  readonly #saving = new Set<AnyAccount>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** A turn on the account ended. */
  report(account: AnyAccount, effect: HealthEffect): void {
    this.#change(account, judge(account, effect, performance.now()));
  }

  /** The upstream refused a feature to the account, or served it; the breaker stays as it is. */
  feature(account: AnyAccount, feature: Feature, isServed: boolean): void {
    this.#change(account, withFeature(account.state, feature, isServed));
  }

  /** The operator saw the account work; `anew`: with other credentials, or at another place. */
  connected(account: AnyAccount, anew: boolean): void {
    this.#change(account, account.window.connected(account.state, anew));
  }

  /** Takes the right to probe a half-open account; false when another turn has it. */
  claimProbe(account: AnyAccount): Promise<boolean> {
    return this.#deps.store.claimProbe(account.id, PROBE_MS);
  }

  /** Gives the right to probe back. */
  releaseProbe(account: AnyAccount): void {
    this.#inBackground(this.#deps.store.releaseProbe(account.id));
  }

  /** Stores what changed, one statement at a time for an account, so that the newest is the last. What fails stays unsaved. */
  async save(account: AnyAccount): Promise<void> {
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
    this.notify(account.row.workspaceId);
  }

  /** Tells the replicas that a workspace's accounts are to be read anew. */
  notify(workspaceId: string): void {
    this.#deps.bus.notify(NOTICES.connectionChanged, Buffer.from(workspaceId));
  }

  #change(account: AnyAccount, next: BreakerState): void {
    const before = account.state;
    if (!account.change(next)) return;
    const { id, row } = account;
    const { status, health, refused } = account.view();
    this.#deps.log.info({ connectionId: id, label: row.label, status, health, refused }, 'connection health changed');
    if ((before.expired && !next.expired) || (before.openings > 0 && next.openings === 0)) this.#deps.recovered(account);
    this.#inBackground(this.save(account));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'the health of a connection was not stored; trying again later'));
  }
}

function judge(account: AnyAccount, effect: HealthEffect, now: number): BreakerState {
  const { state } = account;
  switch (effect) {
    case 'unknown':
      return state;
    case 'ok':
      return account.window.succeeded(state, now);
    case 'failure':
      return account.window.failed(state, now);
    case 'rate_limited':
      return account.window.rateLimited(state, now);
    case 'expired':
      return account.window.expired(state);
  }
}
