import { GatewayError } from '@parley/protos/errors';

/** How a route profile chooses between its connections: in the order of their labels, by weight, or by load. */
export const STRATEGIES = ['priority', 'weighted', 'least_loaded'] as const;

/** A strategy name. */
export type Strategy = (typeof STRATEGIES)[number];

/** The strategy settings of a route profile. `strategy` empty: the default. `weights` are in the order of `accountLabels`. */
export interface StrategyFacts {
  strategy: string;
  accountLabels: readonly string[];
  weights: readonly number[];
}

const MAX_WEIGHT = 1_000;

/** Returns the strategy of a profile. Default: `priority` when labels are listed, otherwise `least_loaded`. */
export function toStrategy({ strategy, accountLabels }: Pick<StrategyFacts, 'strategy' | 'accountLabels'>): Strategy {
  return STRATEGIES.find((known) => known === strategy) ?? (accountLabels.length > 0 ? 'priority' : 'least_loaded');
}

/** Validates and returns the strategy of a profile. Throws VALIDATION_ERROR for an unknown one, or labels or weights that do not fit it. */
export function requireStrategy(profile: StrategyFacts): Strategy {
  const { accountLabels, weights } = profile;
  if (profile.strategy !== '' && !(STRATEGIES as readonly string[]).includes(profile.strategy))
    throw invalid('strategy', `strategy must be one of: ${STRATEGIES.join(', ')}`);
  if (new Set(accountLabels).size < accountLabels.length) throw invalid('account_labels', 'an account is named twice');
  const strategy = toStrategy(profile);
  if (strategy !== 'least_loaded' && accountLabels.length === 0)
    throw invalid('account_labels', `${strategy} needs the accounts it is about`);
  if (strategy !== 'weighted') {
    if (weights.length > 0) throw invalid('weights', 'weights go with the strategy weighted');
    return strategy;
  }
  if (weights.length !== accountLabels.length) throw invalid('weights', 'weights are one for each of account_labels');
  if (!weights.every((weight) => Number.isInteger(weight) && weight >= 1 && weight <= MAX_WEIGHT))
    throw invalid('weights', `a weight is a whole number from 1 to ${MAX_WEIGHT}`);
  return strategy;
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}
