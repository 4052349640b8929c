import { type Bus } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { NOTICES } from '@parley/protos/subjects';
import { type BreakerPolicy, type BreakerState, withFeatureOutcome } from '../domain/breaker.ts';
import { type UpstreamFeature, type ProbeResult, type HealthEffect } from '../domain/error-effects.ts';
import { dropUnlistedPauses, pauseModel, resumeModel } from '../domain/paused-models.ts';
import { type Database } from '../store/database.ts';
import { claimProbe, releaseProbe, saveHealth } from '../store/health.ts';
import { type AnyConnection } from './connection.ts';

/** Dependencies of `HealthTracker`. */
export interface HealthDeps {
  database: Database;
  policy: BreakerPolicy;
  bus: Bus;
  log: Logger;
  /** Called when a connection whose breaker was open or whose credentials had expired admits turns again. */
  onRecovered(connection: AnyConnection): void;
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
export class HealthTracker {
  /** Set by the prober: called when a stored state has a probe that is due now. */
  onProbeDue: () => void = () => undefined;
  readonly #deps: HealthDeps;
  readonly #saving = new Set<AnyConnection>();

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  /** Applies the outcome of a turn on the connection. */
  recordOutcome(connection: AnyConnection, effect: HealthEffect, about: OutcomeDetails = {}): void {
    this.#change(connection, stateAfter(connection, effect, about, this.#deps.policy));
  }

  /** Applies the result of a probe that was made with the connection's current credentials. */
  recordProbe(connection: AnyConnection, finding: ProbeResult): void {
    this.#change(connection, connection.outcomeWindow.recordProbe(connection.state, finding, performance.now()));
  }

  /** Records whether the upstream served or refused a feature; does not affect the admission of turns. */
  recordFeature(connection: AnyConnection, feature: UpstreamFeature, isServed: boolean): void {
    this.#change(connection, withFeatureOutcome(connection.state, feature, isServed));
  }

  /** Call with a new model list: drops the pauses of models that are no longer listed. */
  recordModelList(connection: AnyConnection, models: readonly string[]): void {
    const { state } = connection;
    const resting = dropUnlistedPauses(state.resting, models);
    this.#change(connection, resting === state.resting ? state : { ...state, resting });
  }

  /** Applies a successful test by the operator. `anew`: credentials or base URL have changed. */
  recordSuccessfulTest(connection: AnyConnection, anew: boolean): void {
    if (anew) connection.connectedAt = performance.now();
    this.#change(connection, connection.outcomeWindow.recordSuccessfulTest(connection.state, anew));
  }

  /** Call when the operator enables the connection: a probe that was scheduled meanwhile becomes due at once. */
  recordEnabled(connection: AnyConnection): void {
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
      while (connection.hasUnsavedState) {
        const { change, saved } = connection.getUnsavedChange();
        await saveHealth(this.#deps.database, connection.id, change);
        saved();
      }
    } finally {
      this.#saving.delete(connection);
    }
    this.notifyReplicas(connection.row.workspaceId);
    const { probeAt } = connection.state;
    if (probeAt !== 0 && probeAt <= performance.now()) this.onProbeDue();
  }

  /** Notifies the replicas that a workspace's connections changed. */
  notifyReplicas(workspaceId: string): void {
    this.#deps.bus.notify(NOTICES.connectionChanged, Buffer.from(workspaceId));
  }

  #change(connection: AnyConnection, next: BreakerState): void {
    const before = connection.state;
    if (!connection.setState(next)) return;
    const { id, row } = connection;
    const { status, health, refused, restingModels, reason } = connection.toMessage();
    this.#deps.log.info(
      { connectionId: id, label: row.label, status, health, refused, restingModels, reason },
      'connection health changed',
    );
    if (isAway(before) && !isAway(next)) this.#deps.onRecovered(connection);
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
  const { state, outcomeWindow } = connection;
  const now = performance.now();
  switch (effect) {
    case 'unknown':
      return state;
    case 'ok':
      return awake(outcomeWindow.recordSuccess(state, now), model);
    case 'failure':
      return outcomeWindow.recordFailure(state, now);
    case 'rate_limited':
      return outcomeWindow.recordRateLimit(state, now);
    case 'expired':
      return outcomeWindow.recordExpiry(state, now);
    case 'unauthorized':
      return outcomeWindow.recordUnauthorized(state, now);
    case 'forbidden':
      return outcomeWindow.recordForbidden(state, now);
    case 'credit':
      return outcomeWindow.recordNoCredit(state, now);
    case 'rejected':
      return outcomeWindow.recordRejection(state, conversationId, now);
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
