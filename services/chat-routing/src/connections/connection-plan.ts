import { GatewayError } from '@parley/protos/errors';
import { pickLeastLoaded, pickWeighted } from '../domain/connection-choice.ts';
import { type Admission } from '../domain/breaker.ts';
import { type ProfileRow } from '../store/routing-rules.ts';
import { type Connection } from './connection.ts';
import { type Connections } from './connections.ts';

/** The connections that may take a turn. */
export interface ConnectionPlan {
  /** In the order in which they are tried; those of one tier are alike. */
  tiers: readonly (readonly Connection[])[];
  /** `auto` or a model, as the request has it. */
  model: string;
  /** Weights by label, where they decide and not the load. */
  weights?: ReadonlyMap<string, number>;
}

/** A connection that takes a turn. */
export interface ConnectionChoice {
  connection: Connection;
  /** The turn probes the connection. */
  probing: boolean;
  /** The turn holds a slot of the connection already. */
  hasSlot: boolean;
}

/** The plan of a turn over connections that a profile, if there is one, allows. */
export function toConnectionPlan(eligible: readonly Connection[], model: string, profile: ProfileRow | undefined): ConnectionPlan {
  const { accountLabels = [], strategy, weights = [] } = profile ?? {};
  if (strategy === 'priority' && accountLabels.length > 0)
    return { model, tiers: accountLabels.map((label) => eligible.filter(({ row }) => row.label === label)) };
  if (strategy !== 'weighted') return { model, tiers: [eligible] };
  return { model, tiers: [eligible], weights: new Map(accountLabels.map((label, at) => [label, weights[at] ?? 1])) };
}

/** The connections of a plan without those that are to be avoided. */
export function withoutConnections({ tiers, ...rest }: ConnectionPlan, avoided: ReadonlySet<string>): ConnectionPlan {
  return { ...rest, tiers: tiers.map((tier) => tier.filter(({ id }) => !avoided.has(id))) };
}

/** How many connections of a plan admit turns now. */
export function countHealthy({ tiers }: ConnectionPlan): number {
  return tiers.reduce((sum, tier) => sum + tier.filter((connection) => connection.admission() === 'closed').length, 0);
}

/** A healthy connection of a plan with a free slot, which the turn gets. */
export function chooseHealthy(plan: ConnectionPlan): ConnectionChoice | undefined {
  for (const tier of plan.tiers) {
    const free = tier.filter((candidate) => candidate.limiter.hasSlot && candidate.admission() === 'closed');
    const connection = pick(plan, free);
    if (connection) return { connection, probing: false, hasSlot: connection.limiter.tryAcquire() };
  }
  return undefined;
}

/**
 * The connection of a plan that takes a turn: a healthy one with a free slot, else a healthy one where it waits, else one that the turn probes;
 * undefined when there is none.
 */
export async function acquireFromPlan(
  { connections }: { connections: Connections },
  plan: ConnectionPlan,
): Promise<ConnectionChoice | undefined> {
  const healthy = chooseHealthy(plan);
  if (healthy) return healthy;
  const all = plan.tiers.flat();
  const full = all.filter((candidate) => candidate.admission() === 'closed');
  const patient = full.filter(({ limiter }) => limiter.canWait);
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
 * The connection of a conversation that is created without a turn: the least loaded one that admits turns, or that a turn may probe. Throws
 * NO_HEALTHY_SESSION.
 */
export function requireAvailableConnection(eligible: readonly Connection[]): Connection {
  const admitting = (admission: Admission) => eligible.filter((connection) => connection.admission() === admission);
  const connection = pickLeastLoaded(admitting('closed')) ?? pickLeastLoaded(admitting('half_open'));
  if (!connection) throw noHealthySessionError({ tiers: [eligible], model: 'auto' });
  return connection;
}

/** Milliseconds until the first of some connections admits turns again; 0 when one does now, or when waiting brings none back. */
export function earliestCooldown(connections: readonly Connection[]): number {
  const waits = connections.filter((connection) => connection.admission() !== 'expired').map((connection) => connection.cooldownMs());
  return waits.length > 0 ? Math.min(...waits) : 0;
}

/** NO_HEALTHY_SESSION: no connection of a plan admits a turn now. */
export function noHealthySessionError({ tiers }: ConnectionPlan): GatewayError {
  const retryAfterMs = earliestCooldown(tiers.flat());
  return new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take a turn now', retryAfterMs > 0 ? { retryAfterMs } : {});
}
