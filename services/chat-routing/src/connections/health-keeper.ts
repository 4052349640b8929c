import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { NOTICES } from '@parley/protos/subjects';
import { type BreakerPolicy, type BreakerState, withFeature } from '../domain/breaker.ts';
import { type Feature, type ProbeResult, type HealthEffect } from '../domain/failure.ts';
import { dropUnlisted, pauseModel, resumeModel } from '../domain/resting-models.ts';
import { claimProbe, releaseProbe, saveHealth } from '../store/health.ts';
import { type AnyConnection } from './connection.ts';
import { type Database } from '../store/database.ts';

/** Dependencies of `HealthKeeper`. */
export interface HealthDeps {
  database: Database;
  policy: BreakerPolicy;
  bus: Bus;
  log: Logger;
  /** Called when a connection whose breaker was open or whose credentials had expired admits turns again. */
  recovered(connection: AnyConnection): void;
}

/** Details of a turn that some outcomes need. */
export interface OutcomeDetails {
  model?: string;
  /** Id of the conversation; identifies the request when there is no conversation. */
  conversationId?: string;
}

/** Lifetime of a turn's probe claim; after it another turn may probe. */
const PROBE_MS = 90_000;

/** Updates the breaker state of connections from outcomes, stores changes and notifies the other replicas. */
export class HealthKeeper {
  /** Set by the prober: called when a stored state has a probe that is due now. */
  onDoubt: () => void = () => undefined;
  readonly #deps: HealthDeps;
  readonly #saving = new Set<AnyConnection>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** Applies the outcome of a turn on the connection. */
  report(connection: AnyConnection, effect: HealthEffect, about: OutcomeDetails = {}): void {
    this.#change(connection, stateAfter(connection, effect, about, this.#deps.policy));
  }

  /** Applies the result of a probe that was made with the connection's current credentials. */
  probed(connection: AnyConnection, finding: ProbeResult): void {
    this.#change(connection, connection.window.probed(connection.state, finding, performance.now()));
  }

  /** Records whether the upstream served or refused a feature; does not affect the admission of turns. */
  feature(connection: AnyConnection, feature: Feature, isServed: boolean): void {
    this.#change(connection, withFeature(connection.state, feature, isServed));
  }

  /** Call with a new model list: drops the pauses of models that are no longer listed. */
  listed(connection: AnyConnection, models: readonly string[]): void {
    const { state } = connection;
    const resting = dropUnlisted(state.resting, models);
    this.#change(connection, resting === state.resting ? state : { ...state, resting });
  }

  /** Applies a successful test by the operator. `anew`: credentials or base URL have changed. */
  connected(connection: AnyConnection, anew: boolean): void {
    if (anew) connection.connectedAt = performance.now();
    this.#change(connection, connection.window.connected(connection.state, anew));
  }

  /** Call when the operator enables the connection: a probe that was scheduled meanwhile becomes due at once. */
  enabled(connection: AnyConnection): void {
    const { state } = connection;
    this.#change(connection, state.probeAt === 0 ? state : { ...state, probeAt: performance.now() });
  }

  /** Claims the probe of a half-open connection across replicas; false when another turn holds the claim. */
  claimProbe(connection: AnyConnection): Promise<boolean> {
    return claimProbe(this.#deps.database, connection.id, PROBE_MS);
  }

  /** Releases the probe claim in the background. */
  releaseProbe(connection: AnyConnection): void {
    this.#inBackground(releaseProbe(this.#deps.database, connection.id));
  }

  /** Stores unsaved changes and notifies the replicas. Statements of one connection run one after another; a failed one stays unsaved. */
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
      const resting = model === undefined ? state.resting : pauseModel(state.resting, model, now, policy);
      return resting === state.resting ? state : { ...state, resting };
    }
  }
}

function awake(state: BreakerState, model: string | undefined): BreakerState {
  const resting = model === undefined ? state.resting : resumeModel(state.resting, model);
  return resting === state.resting ? state : { ...state, resting };
}
