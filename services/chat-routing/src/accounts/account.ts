import { type Connection } from '@parley/protos/routing/v1/routing';
import {
  type Admission,
  admissionOf,
  type BreakerPolicy,
  type BreakerState,
  CLOSED,
  cooldownLeft,
  OutcomeWindow,
} from '../domain/breaker.ts';
import { connectionView } from '../domain/connection-view.ts';
import { MovingLatency } from '../domain/moving-latency.ts';
import { type ProviderAccount } from '../providers/provider-account.ts';
import { type ChatProvider, type ConnectionKind } from '../providers/provider.ts';
import { type ConnectionRow, type HealthChange, type HealthRow } from '../store/connections.ts';
import { type TurnGate } from './turn-gate.ts';

/** An account of any kind. */
export type AnyAccount = Account<ConnectionKind>;

/** A connected account as this process knows it: settings, shared breaker state, and its own load. `K`: what kind it is of. */
export class Account<K extends ConnectionKind = ChatProvider> {
  readonly id: string;
  readonly provider: K;
  readonly window: OutcomeWindow;
  row: ConnectionRow;
  secret: string;
  /** Counts the turns under way. */
  readonly gate: TurnGate;
  usedSinceTouch = false;
  #state: BreakerState = CLOSED;
  /** What changed here and has not been stored yet. */
  readonly #unsaved = new Set<keyof BreakerState>();
  /** When the state was last stored; what was read from the database before is older. */
  #savedAt = 0;
  readonly #latency = new MovingLatency();

  constructor(row: ConnectionRow, secret: string, provider: K, policy: BreakerPolicy, gate: TurnGate) {
    this.id = row.id;
    this.row = row;
    this.secret = secret;
    this.provider = provider;
    this.gate = gate;
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

  get upstream(): ProviderAccount {
    return { id: this.id, baseUrl: this.row.baseUrl, account: this.row.account, secret: this.secret };
  }

  /** Turns in this process that run on the account, or wait to. */
  get inFlight(): number {
    return this.gate.inFlight + this.gate.waiting;
  }

  /** Recent time to the first token in milliseconds; 0 when unknown. */
  get latencyMs(): number {
    return this.#latency.at(performance.now());
  }

  /** The state changed here and has not been stored yet. */
  get isUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  admission(): Admission {
    return admissionOf(this.#state, performance.now());
  }

  /** Milliseconds until the account admits a turn again. */
  cooldownMs(): number {
    return cooldownLeft(this.#state, performance.now());
  }

  offers(model: string): boolean {
    return model === 'auto' || this.row.models.includes(model);
  }

  noteLatency(ms: number): void {
    this.#latency.note(ms, performance.now());
  }

  /** Changes the shared state; false when it is the same. */
  change(next: BreakerState): boolean {
    const before = this.#state;
    if (next === before) return false;
    this.#state = next;
    for (const field of Object.keys(next) as (keyof BreakerState)[]) if (next[field] !== before[field]) this.#unsaved.add(field);
    return true;
  }

  /** What is to be stored of the state; it counts as stored once `saved` is called. */
  unsaved(): { change: HealthChange; saved: () => void } {
    const state = this.#state;
    const now = performance.now();
    const has = (field: keyof BreakerState) => this.#unsaved.has(field);
    const change: HealthChange = {
      ...(has('proven') && { proven: state.proven }),
      ...(has('expired') && { expired: state.expired }),
      ...((has('openings') || has('openUntil')) && { openings: state.openings, openMs: Math.max(0, state.openUntil - now) }),
      ...(has('refused') && { refused: [...state.refused] }),
      ...(has('rateLimitedUntil') && { rateLimitedMs: Math.max(0, state.rateLimitedUntil - now) }),
    };
    const saved = () => {
      this.#savedAt = performance.now();
      if (this.#state === state) this.#unsaved.clear();
    };
    return { change, saved };
  }

  /** Takes over what the database said at `readAt`, unless this process knows something newer. */
  adopt(row: ConnectionRow & HealthRow, secret: string, readAt: number): void {
    this.row = row;
    this.secret = secret;
    if (this.isUnsaved || readAt <= this.#savedAt) return;
    const now = performance.now();
    const { proven, expired, openings, refused } = row;
    this.#state = {
      proven,
      expired,
      openings,
      refused,
      rateLimitedUntil: until(row.rateLimitedMs, now),
      openUntil: until(row.openMs, now),
    };
  }

  /** The record of spec §2.5. */
  view(): Connection {
    return connectionView({
      row: this.row,
      traits: this.provider.traits,
      configured: this.configured,
      proven: this.#state.proven,
      openings: this.#state.openings,
      refused: this.#state.refused,
      admission: this.admission(),
      cooldownMs: this.cooldownMs(),
    });
  }
}

/** An account that turns run on; the services for audio and actions call the others themselves. */
export function isChatAccount(account: AnyAccount): account is Account {
  return account.provider.traits.purpose === 'chat';
}

function until(ms: number, now: number): number {
  return ms > 0 ? now + ms : 0;
}
