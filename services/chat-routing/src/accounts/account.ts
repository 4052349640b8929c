import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Admission, admissionOf, type BreakerPolicy, type BreakerState, CLOSED, cooldownLeft, OutcomeWindow } from '../domain/breaker.ts';
import { connectionView } from '../domain/connection-view.ts';
import { type ChatProvider, type ProviderAccount } from '../providers/provider.ts';
import { type ConnectionRow, type HealthRow } from '../store/connections.ts';

/** Weight of the newest measurement in the moving average of latency. */
const NEWEST = 0.2;

/** A connected account as this process knows it: settings, shared breaker state, and its own load. */
export class Account {
  readonly id: string;
  readonly provider: ChatProvider;
  readonly window: OutcomeWindow;
  row: ConnectionRow;
  secret: string;
  state: BreakerState = CLOSED;
  /** The state changed here and has not been stored yet. */
  unsaved = false;
  inFlight = 0;
  latencyMs = 0;
  usedSinceTouch = false;

  constructor(row: ConnectionRow, secret: string, provider: ChatProvider, policy: BreakerPolicy) {
    this.id = row.id;
    this.row = row;
    this.secret = secret;
    this.provider = provider;
    this.window = new OutcomeWindow(policy);
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

  admission(): Admission {
    return admissionOf(this.state, performance.now());
  }

  /** Milliseconds until the account admits a turn again. */
  cooldownMs(): number {
    return cooldownLeft(this.state, performance.now());
  }

  offers(model: string): boolean {
    return model === 'auto' || this.row.models.includes(model);
  }

  noteLatency(ms: number): void {
    this.latencyMs = this.latencyMs === 0 ? ms : this.latencyMs * (1 - NEWEST) + ms * NEWEST;
  }

  /** Takes over what the database says, unless this process knows something newer. */
  adopt(row: ConnectionRow & HealthRow, secret: string): void {
    this.row = row;
    this.secret = secret;
    if (this.unsaved) return;
    const now = performance.now();
    const { proven, expired, openings } = row;
    this.state = { proven, expired, openings, rateLimitedUntil: until(row.rateLimitedMs, now), openUntil: until(row.openMs, now) };
  }

  /** The shared part of the state as it is stored. */
  health(): HealthRow {
    const now = performance.now();
    const { proven, expired, openings, rateLimitedUntil, openUntil } = this.state;
    return { proven, expired, openings, rateLimitedMs: Math.max(0, rateLimitedUntil - now), openMs: Math.max(0, openUntil - now) };
  }

  /** The record of spec §2.5. */
  view(): Connection {
    return connectionView({
      row: this.row,
      traits: this.provider.traits,
      configured: this.configured,
      proven: this.state.proven,
      openings: this.state.openings,
      admission: this.admission(),
      cooldownMs: this.cooldownMs(),
    });
  }
}

function until(ms: number, now: number): number {
  return ms > 0 ? now + ms : 0;
}
