import { GatewayError } from '@parley/protos/errors';
import { type Account } from '../accounts/account.ts';
import { pickLeastLoaded, pickWeighted } from '../domain/account-choice.ts';
import { type ProfileRow } from '../store/routing-rules.ts';
import { type TurnDeps } from './deps.ts';

/** The accounts that a turn may go to. */
export interface AccountPlan {
  /** In the order in which they are asked; those of one tier are alike. */
  tiers: readonly (readonly Account[])[];
  /** `auto` or a model, as it was asked for. */
  model: string;
  /** Weights by label, where they decide and not the load. */
  weights?: ReadonlyMap<string, number>;
}

/** An account that takes a turn. */
export interface AccountChoice {
  account: Account;
  /** The turn is the one that probes it. */
  probing: boolean;
  /** The account counts the turn already. */
  hasRoom: boolean;
}

/** The plan of a turn over accounts that a profile, if there is one, allows. */
export function planOf(eligible: readonly Account[], model: string, profile: ProfileRow | undefined): AccountPlan {
  const { accountLabels = [], strategy, weights = [] } = profile ?? {};
  if (strategy === 'priority' && accountLabels.length > 0)
    return { model, tiers: accountLabels.map((label) => eligible.filter(({ row }) => row.label === label)) };
  if (strategy !== 'weighted') return { model, tiers: [eligible] };
  return { model, tiers: [eligible], weights: new Map(accountLabels.map((label, at) => [label, weights[at] ?? 1])) };
}

/** The accounts of a plan but for those that are to be avoided. */
export function withoutAccounts({ tiers, ...rest }: AccountPlan, avoided: ReadonlySet<string>): AccountPlan {
  return { ...rest, tiers: tiers.map((tier) => tier.filter(({ id }) => !avoided.has(id))) };
}

/** How many accounts of a plan take turns now. */
export function countHealthy({ tiers }: AccountPlan): number {
  return tiers.reduce((sum, tier) => sum + tier.filter((account) => account.admission() === 'closed').length, 0);
}

/**
 * The account of a plan that takes a turn: a healthy one with room, else a healthy one where it waits, else one that the turn probes; undefined
 * when there is none.
 */
export async function chooseFrom({ accounts }: Pick<TurnDeps, 'accounts'>, plan: AccountPlan): Promise<AccountChoice | undefined> {
  const { tiers } = plan;
  for (const tier of tiers) {
    const account = pick(
      plan,
      tier.filter((candidate) => candidate.gate.hasRoom && candidate.admission() === 'closed'),
    );
    if (account) return { account, probing: false, hasRoom: account.gate.tryEnter() };
  }
  const all = tiers.flat();
  const full = all.filter((candidate) => candidate.admission() === 'closed');
  const patient = full.filter(({ gate }) => gate.canWait);
  const account = pick(plan, patient.length > 0 ? patient : full);
  if (account) return { account, probing: false, hasRoom: false };
  for (const candidate of all) {
    if (candidate.admission() !== 'half_open' || !(await accounts.health.claimProbe(candidate))) continue;
    return { account: candidate, probing: true, hasRoom: candidate.gate.tryEnter() };
  }
  return undefined;
}

function pick({ weights }: AccountPlan, candidates: readonly Account[]): Account | undefined {
  if (!weights) return pickLeastLoaded(candidates);
  return pickWeighted(candidates, ({ row }) => weights.get(row.label) ?? 1);
}

/** Milliseconds until the first of some accounts takes turns again; 0 when one does now, or when waiting brings none back. */
export function earliestCooldown(accounts: readonly Account[]): number {
  const waits = accounts.filter((account) => account.admission() !== 'expired').map((account) => account.cooldownMs());
  return waits.length > 0 ? Math.min(...waits) : 0;
}

/** Refuses a turn that no account of a plan takes now. */
export function noHealthySession({ tiers }: AccountPlan): GatewayError {
  const retryAfterMs = earliestCooldown(tiers.flat());
  return new GatewayError('NO_HEALTHY_SESSION', 'no connected account can take a turn now', retryAfterMs > 0 ? { retryAfterMs } : {});
}
