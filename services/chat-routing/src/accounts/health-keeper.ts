import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { NOTICES } from '@parley/protos/subjects';
import { type BreakerPolicy, type BreakerState, withFeature } from '../domain/breaker.ts';
import { type Feature, type Finding, type HealthEffect } from '../domain/failure.ts';
import { keepListed, restModel, wakeModel } from '../domain/resting-models.ts';
import { type HealthStore } from '../store/health.ts';
import { type AnyAccount } from './account.ts';

/** What keeping the health of accounts works with. */
export interface HealthDeps {
  health: HealthStore;
  policy: BreakerPolicy;
  bus: Bus;
  log: Logger;
  /** Called when an account that was expired or paused works again. */
  recovered(account: AnyAccount): void;
}

/** What a turn was about, as far as its outcome says more than how the upstream is. */
export interface OutcomeDetails {
  model?: string;
  /** Stands for the request where there is no conversation. */
  conversationId?: string;
}

/** A probing turn that has not ended by then gave the right back. */
const PROBE_MS = 90_000;

/** Keeps the health of connections by the outcomes of their turns; changes are stored, and the other replicas are notified. */
export class HealthKeeper {
  /** Called when an account is to be probed at once. */
  onDoubt: () => void = () => undefined;
  readonly #deps: HealthDeps;
  readonly #saving = new Set<AnyAccount>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** A turn on the account ended. */
  report(account: AnyAccount, effect: HealthEffect, about: OutcomeDetails = {}): void {
    this.#change(account, stateAfter(account, effect, about, this.#deps.policy));
  }

  /** A probe ended, made with the credentials that the connection has now. */
  probed(account: AnyAccount, finding: Finding): void {
    this.#change(account, account.window.probed(account.state, finding, performance.now()));
  }

  /** The upstream refused a feature to the account, or served it; the breaker stays as it is. */
  feature(account: AnyAccount, feature: Feature, isServed: boolean): void {
    this.#change(account, withFeature(account.state, feature, isServed));
  }

  /** The upstream lists other models: what rests of those that are gone is forgotten. */
  listed(account: AnyAccount, models: readonly string[]): void {
    const { state } = account;
    const resting = keepListed(state.resting, models);
    this.#change(account, resting === state.resting ? state : { ...state, resting });
  }

  /** A test by the operator succeeded; `anew`: with other credentials, or at another address. */
  connected(account: AnyAccount, anew: boolean): void {
    if (anew) account.connectedAt = performance.now();
    this.#change(account, account.window.connected(account.state, anew));
  }

  /** The operator enabled the account: what was put off while it was not asked is found out at once. */
  enabled(account: AnyAccount): void {
    const { state } = account;
    this.#change(account, state.probeAt === 0 ? state : { ...state, probeAt: performance.now() });
  }

  /** Takes the right to probe a half-open account; false when another turn has it. */
  claimProbe(account: AnyAccount): Promise<boolean> {
    return this.#deps.health.claimProbe(account.id, PROBE_MS);
  }

  /** Gives the right to probe back. */
  releaseProbe(account: AnyAccount): void {
    this.#inBackground(this.#deps.health.releaseProbe(account.id));
  }

  /** Stores what changed, one statement at a time for an account, so that the newest is the last. What fails stays unsaved. */
  async save(account: AnyAccount): Promise<void> {
    if (this.#saving.has(account)) return;
    this.#saving.add(account);
    try {
      while (account.isUnsaved) {
        const { change, saved } = account.unsaved();
        await this.#deps.health.save(account.id, change);
        saved();
      }
    } finally {
      this.#saving.delete(account);
    }
    this.notify(account.row.workspaceId);
    const { probeAt } = account.state;
    if (probeAt !== 0 && probeAt <= performance.now()) this.onDoubt();
  }

  /** Notifies the replicas that a workspace's connections changed. */
  notify(workspaceId: string): void {
    this.#deps.bus.notify(NOTICES.connectionChanged, Buffer.from(workspaceId));
  }

  #change(account: AnyAccount, next: BreakerState): void {
    const before = account.state;
    if (!account.change(next)) return;
    const { id, row } = account;
    const { status, health, refused, restingModels, reason } = account.view();
    this.#deps.log.info(
      { connectionId: id, label: row.label, status, health, refused, restingModels, reason },
      'connection health changed',
    );
    if (isAway(before) && !isAway(next)) this.#deps.recovered(account);
    this.#inBackground(this.save(account));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'the health of a connection was not stored; trying again later'));
  }
}

function isAway({ expired, openings, onTrial }: BreakerState): boolean {
  return expired || (openings > 0 && !onTrial);
}

function stateAfter(
  account: AnyAccount,
  effect: HealthEffect,
  { model, conversationId = '' }: OutcomeDetails,
  policy: BreakerPolicy,
): BreakerState {
  const { state, window } = account;
  const now = performance.now();
  switch (effect) {
    case 'unknown':
      return state;
    case 'ok':
      return awake(window.succeeded(state, now), model);
    case 'failure':
      return window.failed(state, now);
    case 'rate_limited':
      return window.rateLimited(state, now);
    case 'expired':
      return window.expired(state, now);
    case 'unauthorized':
      return window.unauthorized(state, now);
    case 'forbidden':
      return window.forbidden(state, now);
    case 'credit':
      return window.outOfCredit(state, now);
    case 'rejected':
      return window.rejected(state, conversationId, now);
    case 'model': {
      const resting = model === undefined ? state.resting : restModel(state.resting, model, now, policy);
      return resting === state.resting ? state : { ...state, resting };
    }
  }
}

function awake(state: BreakerState, model: string | undefined): BreakerState {
  const resting = model === undefined ? state.resting : wakeModel(state.resting, model);
  return resting === state.resting ? state : { ...state, resting };
}
