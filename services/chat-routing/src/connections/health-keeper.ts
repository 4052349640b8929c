import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { NOTICES } from '@parley/protos/subjects';
import { type BreakerPolicy, type BreakerState, withFeature } from '../domain/breaker.ts';
import { type Feature, type ProbeResult, type HealthEffect } from '../domain/failure.ts';
import { dropUnlisted, restModel, wakeModel } from '../domain/resting-models.ts';
import { claimProbe, releaseProbe, saveHealth } from '../store/health.ts';
import { type AnyConnection } from './connection.ts';
import { type Database } from '../store/database.ts';

/** What keeping the health of connections works with. */
export interface HealthDeps {
  database: Database;
  policy: BreakerPolicy;
  bus: Bus;
  log: Logger;
  /** Called when a connection that was expired or paused works again. */
  recovered(connection: AnyConnection): void;
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
  /** Called when a connection is to be probed at once. */
  onDoubt: () => void = () => undefined;
  readonly #deps: HealthDeps;
  readonly #saving = new Set<AnyConnection>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** A turn on the connection ended. */
  report(connection: AnyConnection, effect: HealthEffect, about: OutcomeDetails = {}): void {
    this.#change(connection, stateAfter(connection, effect, about, this.#deps.policy));
  }

  /** A probe ended, made with the credentials that the connection has now. */
  probed(connection: AnyConnection, finding: ProbeResult): void {
    this.#change(connection, connection.window.probed(connection.state, finding, performance.now()));
  }

  /** The upstream refused a feature to the connection, or served it; the breaker stays as it is. */
  feature(connection: AnyConnection, feature: Feature, isServed: boolean): void {
    this.#change(connection, withFeature(connection.state, feature, isServed));
  }

  /** The upstream lists other models: what rests of those that are gone is forgotten. */
  listed(connection: AnyConnection, models: readonly string[]): void {
    const { state } = connection;
    const resting = dropUnlisted(state.resting, models);
    this.#change(connection, resting === state.resting ? state : { ...state, resting });
  }

  /** A test by the operator succeeded; `anew`: with other credentials, or at another address. */
  connected(connection: AnyConnection, anew: boolean): void {
    if (anew) connection.connectedAt = performance.now();
    this.#change(connection, connection.window.connected(connection.state, anew));
  }

  /** The operator enabled the connection: what was put off while it was not asked is found out at once. */
  enabled(connection: AnyConnection): void {
    const { state } = connection;
    this.#change(connection, state.probeAt === 0 ? state : { ...state, probeAt: performance.now() });
  }

  /** Takes the right to probe a half-open connection; false when another turn has it. */
  claimProbe(connection: AnyConnection): Promise<boolean> {
    return claimProbe(this.#deps.database, connection.id, PROBE_MS);
  }

  /** Releases the claim of the probe. */
  releaseProbe(connection: AnyConnection): void {
    this.#inBackground(releaseProbe(this.#deps.database, connection.id));
  }

  /** Stores what changed, one statement at a time for a connection, so that the newest is the last. What fails stays unsaved. */
  async save(connection: AnyConnection): Promise<void> {
    if (this.#saving.has(connection)) return;
    this.#saving.add(connection);
    try {
      while (connection.isUnsaved) {
        const { change, saved } = connection.unsaved();
        await saveHealth(this.#deps.database, connection.id, change);
        saved();
      }
    } finally {
      this.#saving.delete(connection);
    }
    this.notify(connection.row.workspaceId);
    const { probeAt } = connection.state;
    if (probeAt !== 0 && probeAt <= performance.now()) this.onDoubt();
  }

  /** Notifies the replicas that a workspace's connections changed. */
  notify(workspaceId: string): void {
    this.#deps.bus.notify(NOTICES.connectionChanged, Buffer.from(workspaceId));
  }

  #change(connection: AnyConnection, next: BreakerState): void {
    const before = connection.state;
    if (!connection.change(next)) return;
    const { id, row } = connection;
    const { status, health, refused, restingModels, reason } = connection.view();
    this.#deps.log.info(
      { connectionId: id, label: row.label, status, health, refused, restingModels, reason },
      'connection health changed',
    );
    if (isAway(before) && !isAway(next)) this.#deps.recovered(connection);
    this.#inBackground(this.save(connection));
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((err: unknown) => this.#deps.log.warn({ err }, 'the health of a connection was not stored; trying again later'));
  }
}

function isAway({ expired, openings, onTrial }: BreakerState): boolean {
  return expired || (openings > 0 && !onTrial);
}

function stateAfter(
  connection: AnyConnection,
  effect: HealthEffect,
  { model, conversationId = '' }: OutcomeDetails,
  policy: BreakerPolicy,
): BreakerState {
  const { state, window } = connection;
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
