import { type Connection as ConnectionMessage } from '@parley/protos/routing/v1/routing';
import {
  type Admission,
  toAdmission,
  type BreakerPolicy,
  type BreakerState,
  INITIAL_BREAKER_STATE,
  getRemainingCooldownMs,
} from '../domain/breaker.ts';
import { toConnectionMessage } from '../domain/connection-message.ts';
import { LatencyMeter, type PendingAttempt } from '../domain/latency-meter.ts';
import { findModel, listOfferedModels } from '../domain/model-choice.ts';
import { MovingLatency } from '../domain/moving-latency.ts';
import { OutcomeWindow } from '../domain/outcome-window.ts';
import { isPaused } from '../domain/paused-models.ts';
import { type ChatProvider, type ConnectionProvider } from '../providers/provider.ts';
import { type UpstreamConnection } from '../providers/upstream-connection.ts';
import { type ConnectionRow } from '../store/connections.ts';
import { type HealthChange, type HealthRow } from '../store/health.ts';
import { type ConcurrencyLimiter } from './concurrency-limiter.ts';
import { toHealthChange, toBreakerState } from './stored-breaker-state.ts';

/** A connection of any purpose: chat, audio or actions. */
export type AnyConnection = Connection<ConnectionProvider>;

/** A connection in this process's memory: settings, the shared breaker state, and the load of this process. `K`: type of its provider. */
export class Connection<K extends ConnectionProvider = ChatProvider> {
  readonly id: string;
  readonly provider: K;
  readonly outcomeWindow: OutcomeWindow;
  row: ConnectionRow;
  secret: string;
  /** Slots for concurrent turns. */
  readonly limiter: ConcurrencyLimiter;
  usedSinceTouch = false;
  /** When this process last received other credentials or another base URL; outcomes of earlier requests are ignored. */
  connectedAt = performance.now();
  #state: BreakerState = INITIAL_BREAKER_STATE;
  /** Fields of the state that this process changed and has not stored yet. */
  readonly #unsaved = new Set<keyof BreakerState>();
  /** When the state was last stored; rows that were read earlier are outdated. */
  #savedAt = 0;
  readonly #load = new LatencyMeter();
  readonly #usual = new MovingLatency();
  readonly #isModelPaused = (model: string) => isPaused(this.#state.resting, model, performance.now());

  constructor(row: ConnectionRow, secret: string, provider: K, policy: BreakerPolicy, limiter: ConcurrencyLimiter) {
    this.id = row.id;
    this.row = row;
    this.secret = secret;
    this.provider = provider;
    this.limiter = limiter;
    this.outcomeWindow = new OutcomeWindow(policy);
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Whether the connection is enabled and has a secret, if its provider needs one. */
  get ready(): boolean {
    return this.row.enabled && this.configured;
  }

  get configured(): boolean {
    return this.secret !== '' || !this.provider.traits.needsSecret;
  }

  get upstream(): UpstreamConnection {
    return { id: this.id, baseUrl: this.row.baseUrl, account: this.row.account, secret: this.secret };
  }

  /** Turns of this process that run on the connection or wait for it. */
  get inFlight(): number {
    return this.limiter.inFlight + this.limiter.waiting;
  }

  /** Expected latency of a turn to its first event, in milliseconds; 0 when unknown. */
  get latencyMs(): number {
    return this.#load.latencyAt(performance.now());
  }

  /** Typical time in which the upstream accepts a turn, without failures, in milliseconds (a moving average); 0 when unknown. */
  get typicalAcceptMs(): number {
    return this.#usual.at(performance.now());
  }

  get isDefault(): boolean {
    return this.row.isDefault;
  }

  /** Whether this process has changed the state and not stored it yet. */
  get hasUnsavedState(): boolean {
    return this.#unsaved.size > 0;
  }

  admission(): Admission {
    return toAdmission(this.#state, performance.now());
  }

  /** Milliseconds until the connection admits a turn again; 0 when no cooldown or rate limit is in effect. */
  cooldownMs(): number {
    return getRemainingCooldownMs(this.#state, performance.now());
  }

  /** Whether a turn may request this model or alias now; `auto` means any model. Paused models are not offered. */
  offersModel(model: string): boolean {
    return this.resolveModel(model) !== undefined;
  }

  /** Whether it has a model or an alias of this name, paused or not. Always true for `auto`. */
  hasModelName(model: string): boolean {
    return model === 'auto' || this.row.models.includes(model) || Object.hasOwn(this.row.aliases, model);
  }

  /**
   * Resolves `auto`, an alias or a model to the model that is sent to the upstream; undefined when the connection does not offer it now.
   */
  resolveModel(asked: string): string | undefined {
    return findModel(this.row, asked, this.#isModelPaused);
  }

  /** All names except `auto` that a turn may request now: models and aliases. */
  get offeredModels(): string[] {
    return listOfferedModels(this.row, this.#isModelPaused);
  }

  /** Whether the outcome of a request that was sent at `startedAt` with `secret` still applies to the connection's current credentials. */
  isOutcomeCurrent(secret: string, startedAt?: number): boolean {
    return secret === this.secret && (startedAt === undefined || startedAt >= this.connectedAt);
  }

  /** Starts the latency measurement of an attempt; end it with `recordAccepted`, `recordFailed` or `discardAttempt`. */
  beginAttempt(): PendingAttempt {
    return this.#load.begin(performance.now());
  }

  /** Records that the upstream accepted an attempt. */
  recordAccepted(attempt: PendingAttempt): void {
    const now = performance.now();
    this.#usual.note(this.#load.recordAccepted(attempt, now), now);
  }

  /** Records that an attempt failed because of the upstream. */
  recordFailed(attempt: PendingAttempt): void {
    this.#load.recordFailed(attempt, performance.now());
  }

  /** Ends an attempt without a measurement; does nothing when it was accepted before. */
  abandonAttempt(attempt: PendingAttempt): void {
    this.#load.abandonAttempt(attempt);
  }

  /** Sets the breaker state and marks the changed fields as unsaved; false when `next` is the current object. */
  setState(next: BreakerState): boolean {
    const before = this.#state;
    if (next === before) return false;
    this.#take(next);
    for (const field of Object.keys(next) as (keyof BreakerState)[]) if (next[field] !== before[field]) this.#unsaved.add(field);
    return true;
  }

  /** Returns the unsaved part of the state. Call `saved` once it is stored. */
  getUnsavedChange(): { change: HealthChange; saved: () => void } {
    const state = this.#state;
    const change = toHealthChange(state, this.#unsaved, performance.now());
    const saved = () => {
      this.#savedAt = performance.now();
      if (this.#state === state) this.#unsaved.clear();
    };
    return { change, saved };
  }

  /** Applies the row and secret that were read at `readAt`; also its breaker state, unless this process has a newer one. */
  applyRow(row: ConnectionRow & HealthRow, secret: string, readAt: number): void {
    const isElsewhere = secret !== this.secret || row.baseUrl !== this.row.baseUrl || row.account !== this.row.account;
    if (isElsewhere) this.connectedAt = performance.now();
    this.row = row;
    this.secret = secret;
    if (this.hasUnsavedState || readAt <= this.#savedAt) return;
    this.#take(toBreakerState(row, performance.now()));
  }

  #take(next: BreakerState): void {
    const now = performance.now();
    const isBack = toAdmission(this.#state, now) !== 'closed' && toAdmission(next, now) === 'closed';
    if (isBack) this.#load.resetForSlowStart(now);
    this.#state = next;
  }

  /** Returns the connection message of the API. */
  toMessage(): ConnectionMessage {
    return toConnectionMessage({
      row: this.row,
      traits: this.provider.traits,
      configured: this.configured,
      state: this.#state,
      admission: this.admission(),
      cooldownMs: this.cooldownMs(),
      now: performance.now(),
    });
  }
}

/** Whether turns run on the connection. Other services call connections for audio and actions themselves. */
export function isChatConnection(connection: AnyConnection): connection is Connection {
  return connection.provider.traits.purpose === 'chat';
}
