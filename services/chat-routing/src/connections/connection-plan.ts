import { GatewayError } from '@parley/protos/errors';
import { type Admission } from '../domain/breaker.ts';
import { pickLeastLoaded, pickWeighted } from '../domain/connection-choice.ts';
import { type ProfileRow } from '../store/routing-rules.ts';
import { type ConnectionRegistry } from './connection-registry.ts';
import { type Connection } from './connection.ts';

/** The connections that a turn may use, in order of preference. */
export interface ConnectionPlan {
  /** Tiers in the order in which they are tried; connections of one tier are equivalent. */
  tiers: readonly (readonly Connection[])[];
  /** The requested model: `auto`, a model or an alias. */
  model: string;
  /** Weights by label; unset when the load decides. */
  weights?: ReadonlyMap<string, number>;
}

/** The connection that was chosen for a turn. */
export interface ConnectionChoice {
  connection: Connection;
  /** The turn serves as the probe of the half-open connection. */
  probing: boolean;
  /** The turn already holds a slot of the connection. */
  hasSlot: boolean;
}

/** Builds the plan of a turn from its eligible connections and the strategy of the route profile, if any. */
export function toConnectionPlan(eligible: readonly Connection[], model: string, profile: ProfileRow | undefined): ConnectionPlan {
  const { accountLabels = [], strategy, weights = [] } = profile ?? {};
  if (strategy === 'priority' && accountLabels.length > 0)
    return { model, tiers: accountLabels.map((label) => eligible.filter(({ row }) => row.label === label)) };
  if (strategy !== 'weighted') return { model, tiers: [eligible] };
  return { model, tiers: [eligible], weights: new Map(accountLabels.map((label, at) => [label, weights[at] ?? 1])) };
}

/** Returns the plan without the connections with these ids. */
export function withoutConnections({ tiers, ...rest }: ConnectionPlan, avoided: ReadonlySet<string>): ConnectionPlan {
  return { ...rest, tiers: tiers.map((tier) => tier.filter(({ id }) => !avoided.has(id))) };
}

/** Number of connections of a plan that admit turns now. */
export function countHealthy({ tiers }: ConnectionPlan): number {
  return tiers.reduce((sum, tier) => sum + tier.filter((connection) => connection.admission() === 'closed').length, 0);
}

/** Chooses a healthy connection with a free slot and takes the slot; undefined when there is none. */
export function acquireHealthyConnection(plan: ConnectionPlan): ConnectionChoice | undefined {
  for (const tier of plan.tiers) {
    const free = tier.filter((candidate) => candidate.limiter.hasSlot && candidate.admission() === 'closed');
    const connection = pick(plan, free);
    if (connection) return { connection, probing: false, hasSlot: connection.limiter.tryAcquire() };
  }
  return undefined;
}

/**
 * Chooses the connection of a turn: a healthy one with a free slot, else a healthy one where the turn waits, else a half-open one whose
 * probe the turn claims. Undefined when there is none.
 */
export async function acquireConnectionFromPlan(
  { connections }: { connections: ConnectionRegistry },
  plan: ConnectionPlan,
): Promise<ConnectionChoice | undefined> {
  const healthy = acquireHealthyConnection(plan);
  if (healthy) return healthy;
  const all = plan.tiers.flat();
  const full = all.filter((candidate) => candidate.admission() === 'closed');
  const patient = full.filter(({ limiter }) => limiter.hasQueueCapacity);
  const connection = pick(plan, patient.length > 0 ? patient : full);
  if (connection) return { connection, probing: false, hasSlot: false };
  for (const candidate of all) {
    if (candidate.admission() !== 'half_open' || !(await connections.health.claimProbe(candidate))) continue;
    return { connection: candidate, probing: true, hasSlot: candidate.limiter.tryAcquire() };
  }
  return undefined;
}

function pick({ weights }: ConnectionPlan, candidates: readonly Connection[]): Connection | undefined {
  if (!weights) return pickLeastLoaded(candidates);
  return pickWeighted(candidates, ({ row }) => weights.get(row.label) ?? 1);
}

/**
 * Chooses the connection of a conversation that is created without a turn: the least loaded one that admits turns, else a half-open one.
 * Throws NO_HEALTHY_SESSION when there is none.
 */
export function requireAvailableConnection(eligible: readonly Connection[]): Connection {
  const admitting = (admission: Admission) => eligible.filter((connection) => connection.admission() === admission);
  const connection = pickLeastLoaded(admitting('closed')) ?? pickLeastLoaded(admitting('half_open'));
  if (!connection) throw noHealthySessionError({ tiers: [eligible], model: 'auto' });
  return connection;
}

/** Milliseconds until the first of these connections admits turns again; 0 when one does now, or when all have expired. */
export function getEarliestCooldownMs(connections: readonly Connection[]): number {
  const waits = connections.filter((connection) => connection.admission() !== 'expired').map((connection) => connection.cooldownMs());
  return waits.length > 0 ? Math.min(...waits) : 0;
}

/** Creates the NO_HEALTHY_SESSION error, with the time until the first connection of the plan recovers. */
export function noHealthySessionError({ tiers }: ConnectionPlan): GatewayError {
  const retryAfterMs = getEarliestCooldownMs(tiers.flat());
  return new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take a turn now', retryAfterMs > 0 ? { retryAfterMs } : {});
}
