import { type Connection as ConnectionMessage } from '@parley/protos/routing/v1/routing';
import { type Admission, toAdmission, type BreakerPolicy, type BreakerState, CLOSED, cooldownLeft } from '../domain/breaker.ts';
import { connectionView } from '../domain/connection-view.ts';
import { LatencyMeter, type PendingAttempt } from '../domain/latency-meter.ts';
import { modelFor, offeredModels } from '../domain/model-choice.ts';
import { MovingLatency } from '../domain/moving-latency.ts';
import { OutcomeWindow } from '../domain/outcome-window.ts';
import { isResting } from '../domain/resting-models.ts';
import { type UpstreamConnection } from '../providers/upstream-connection.ts';
import { type ChatProvider, type ConnectionKind } from '../providers/provider.ts';
import { type ConnectionRow } from '../store/connections.ts';
import { type HealthChange, type HealthRow } from '../store/health.ts';
import { toHealthChange, toBreakerState } from './stored-state.ts';
import { type ConcurrencyLimiter } from './concurrency-limiter.ts';

/** An account of any kind. */
export type AnyConnection = Connection<ConnectionKind>;

/** A connection as this process knows it: settings, shared breaker state, and its own load. `K`: what kind it is of. */
export class Connection<K extends ConnectionKind = ChatProvider> {
  readonly id: string;
  readonly provider: K;
  readonly window: OutcomeWindow;
  row: ConnectionRow;
  secret: string;
  /** Counts the turns under way. */
  readonly limiter: ConcurrencyLimiter;
  usedSinceTouch = false;
  /** When this process last got other credentials or another address for it; outcomes of what was asked before do not count. */
  connectedAt = performance.now();
  #state: BreakerState = CLOSED;
  /** What changed here and has not been stored yet. */
  readonly #unsaved = new Set<keyof BreakerState>();
  /** When the state was last stored; what was read from the database before is older. */
  #savedAt = 0;
  readonly #load = new LatencyMeter();
  readonly #usual = new MovingLatency();
  readonly #rests = (model: string) => isResting(this.#state.resting, model, performance.now());

  constructor(row: ConnectionRow, secret: string, provider: K, policy: BreakerPolicy, limiter: ConcurrencyLimiter) {
    this.id = row.id;
    this.row = row;
    this.secret = secret;
    this.provider = provider;
    this.limiter = limiter;
    this.window = new OutcomeWindow(policy);
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Connected, not disabled, and with a secret where one is needed. */
  get ready(): boolean {
    return this.row.enabled && this.configured;
  }

  get configured(): boolean {
    return this.secret !== '' || !this.provider.traits.needsSecret;
  }

  get upstream(): UpstreamConnection {
    return { id: this.id, baseUrl: this.row.baseUrl, account: this.row.account, secret: this.secret };
  }

  /** Turns in this process that run on the connection, or wait to. */
  get inFlight(): number {
    return this.limiter.inFlight + this.limiter.waiting;
  }

  /** Latency to the first event that a turn has to expect now, in milliseconds; 0 when unknown. */
  get latencyMs(): number {
    return this.#load.latencyAt(performance.now());
  }

  /** How long the upstream lately took to accept a turn, failures aside, in milliseconds; 0 when unknown. */
  get usualMs(): number {
    return this.#usual.at(performance.now());
  }

  get isDefault(): boolean {
    return this.row.isDefault;
  }

  /** The state changed here and has not been stored yet. */
  get isUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  admission(): Admission {
    return toAdmission(this.#state, performance.now());
  }

  /** Milliseconds until the connection admits a turn again. */
  cooldownMs(): number {
    return cooldownLeft(this.#state, performance.now());
  }

  /** Whether a turn with this model may go there now; `auto` is any model of it. Models that rest are not offered. */
  offers(model: string): boolean {
    return this.modelFor(model) !== undefined;
  }

  /** Whether it has a model or an alias of this name, resting or not. */
  lists(model: string): boolean {
    return model === 'auto' || this.row.models.includes(model) || Object.hasOwn(this.row.aliases, model);
  }

  /** What a turn that asks for `auto`, for an alias or for a model is put to; undefined for what the connection does not offer now. */
  modelFor(asked: string): string | undefined {
    return modelFor(this.row, asked, this.#rests);
  }

  /** Every name that a turn may ask the connection for now, but `auto`. */
  get offered(): string[] {
    return offeredModels(this.row, this.#rests);
  }

  /** Whether what was asked at `startedAt`, with `secret`, still says something about the connection as it is now. */
  isCurrent(secret: string, startedAt?: number): boolean {
    return secret === this.secret && (startedAt === undefined || startedAt >= this.connectedAt);
  }

  /** An attempt begins; it ends with `accept`, `fail` or `abandon`. */
  beginAttempt(): PendingAttempt {
    return this.#load.begin(performance.now());
  }

  /** The upstream has accepted an attempt. */
  accept(attempt: PendingAttempt): void {
    const now = performance.now();
    this.#usual.note(this.#load.accepted(attempt, now), now);
  }

  /** An attempt failed through the upstream. */
  fail(attempt: PendingAttempt): void {
    this.#load.failed(attempt, performance.now());
  }

  /** An attempt ended in a way that says nothing about the connection, or was accepted before. */
  abandon(attempt: PendingAttempt): void {
    this.#load.abandoned(attempt);
  }

  /** Changes the shared state; false when it is the same. */
  change(next: BreakerState): boolean {
    const before = this.#state;
    if (next === before) return false;
    this.#take(next);
    for (const field of Object.keys(next) as (keyof BreakerState)[]) if (next[field] !== before[field]) this.#unsaved.add(field);
    return true;
  }

  /** What is to be stored of the state; it counts as stored once `saved` is called. */
  unsaved(): { change: HealthChange; saved: () => void } {
    const state = this.#state;
    const change = toHealthChange(state, this.#unsaved, performance.now());
    const saved = () => {
      this.#savedAt = performance.now();
      if (this.#state === state) this.#unsaved.clear();
    };
    return { change, saved };
  }

  /** Takes over the state that the database had at `readAt`, unless this process knows a newer one. */
  adopt(row: ConnectionRow & HealthRow, secret: string, readAt: number): void {
    const isElsewhere = secret !== this.secret || row.baseUrl !== this.row.baseUrl || row.account !== this.row.account;
    if (isElsewhere) this.connectedAt = performance.now();
    this.row = row;
    this.secret = secret;
    if (this.isUnsaved || readAt <= this.#savedAt) return;
    this.#take(toBreakerState(row, performance.now()));
  }

  #take(next: BreakerState): void {
    const now = performance.now();
    const isBack = toAdmission(this.#state, now) !== 'closed' && toAdmission(next, now) === 'closed';
    if (isBack) this.#load.recovered(now);
    this.#state = next;
  }

  /** The connection as the API has it. */
  view(): ConnectionMessage {
    return connectionView({
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

/** A connection that turns run on; the services for audio and actions call the others themselves. */
export function isChatConnection(connection: AnyConnection): connection is Connection {
  return connection.provider.traits.purpose === 'chat';
}
