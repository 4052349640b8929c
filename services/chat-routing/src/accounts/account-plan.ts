import { GatewayError } from '@parley/protos/errors';
import { pickLeastLoaded, pickWeighted } from '../domain/account-choice.ts';
import { type Admission } from '../domain/breaker.ts';
import { type ProfileRow } from '../store/routing-rules.ts';
import { type Account } from './account.ts';
import { type Accounts } from './accounts.ts';

/** The connections that a turn may go to. */
export interface AccountPlan {
  /** In the order in which they are tried; those of one tier are alike. */
  tiers: readonly (readonly Account[])[];
  /** `auto` or a model, as the request has it. */
  model: string;
  /** Weights by label, where they decide and not the load. */
  weights?: ReadonlyMap<string, number>;
}

/** A connection that takes a turn. */
export interface AccountChoice {
  account: Account;
  /** The turn is the one that probes it. */
  probing: boolean;
  /** The turn holds a slot of the connection already. */
  hasSlot: boolean;
}

/** The plan of a turn over connections that a profile, if there is one, allows. */
export function toAccountPlan(eligible: readonly Account[], model: string, profile: ProfileRow | undefined): AccountPlan {
  const { accountLabels = [], strategy, weights = [] } = profile ?? {};
  if (strategy === 'priority' && accountLabels.length > 0)
    return { model, tiers: accountLabels.map((label) => eligible.filter(({ row }) => row.label === label)) };
  if (strategy !== 'weighted') return { model, tiers: [eligible] };
  return { model, tiers: [eligible], weights: new Map(accountLabels.map((label, at) => [label, weights[at] ?? 1])) };
}

/** The connections of a plan without those that are to be avoided. */
export function withoutAccounts({ tiers, ...rest }: AccountPlan, avoided: ReadonlySet<string>): AccountPlan {
  return { ...rest, tiers: tiers.map((tier) => tier.filter(({ id }) => !avoided.has(id))) };
}

/** How many connections of a plan admit turns now. */
export function countHealthy({ tiers }: AccountPlan): number {
  return tiers.reduce((sum, tier) => sum + tier.filter((account) => account.admission() === 'closed').length, 0);
}

/**
 * The connection of a plan that takes a turn: a healthy one with a free slot, else a healthy one where it waits, else one that the turn probes;
 * undefined when there is none.
 */
export async function chooseFrom({ accounts }: { accounts: Accounts }, plan: AccountPlan): Promise<AccountChoice | undefined> {
  const { tiers } = plan;
  for (const tier of tiers) {
    const account = pick(
      plan,
      tier.filter((candidate) => candidate.limiter.hasSlot && candidate.admission() === 'closed'),
    );
    if (account) return { account, probing: false, hasSlot: account.limiter.tryAcquire() };
  }
  const all = tiers.flat();
  const full = all.filter((candidate) => candidate.admission() === 'closed');
  const patient = full.filter(({ limiter }) => limiter.canWait);
  const account = pick(plan, patient.length > 0 ? patient : full);
  if (account) return { account, probing: false, hasSlot: false };
  for (const candidate of all) {
    if (candidate.admission() !== 'half_open' || !(await accounts.health.claimProbe(candidate))) continue;
    return { account: candidate, probing: true, hasSlot: candidate.limiter.tryAcquire() };
  }
  return undefined;
}

function pick({ weights }: AccountPlan, candidates: readonly Account[]): Account | undefined {
  if (!weights) return pickLeastLoaded(candidates);
  return pickWeighted(candidates, ({ row }) => weights.get(row.label) ?? 1);
}

/**
 * The connection of a conversation that is created without a turn: the least loaded one that admits turns, or that a turn may probe. Throws
 * NO_HEALTHY_SESSION.
 */
export function requireAvailableAccount(eligible: readonly Account[]): Account {
  const admitting = (admission: Admission) => eligible.filter((account) => account.admission() === admission);
  const account = pickLeastLoaded(admitting('closed')) ?? pickLeastLoaded(admitting('half_open'));
  if (!account) throw noHealthySessionError({ tiers: [eligible], model: 'auto' });
  return account;
}

/** Milliseconds until the first of some connections admits turns again; 0 when one does now, or when waiting brings none back. */
export function earliestCooldown(accounts: readonly Account[]): number {
  const waits = accounts.filter((account) => account.admission() !== 'expired').map((account) => account.cooldownMs());
  return waits.length > 0 ? Math.min(...waits) : 0;
}

/** NO_HEALTHY_SESSION: no connection of a plan admits a turn now. */
export function noHealthySessionError({ tiers }: AccountPlan): GatewayError {
  const retryAfterMs = earliestCooldown(tiers.flat());
  return new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take a turn now', retryAfterMs > 0 ? { retryAfterMs } : {});
}
