import { type QuotaMetric } from '@parley/protos/quotas';
import { type LimitState, getRemainingShare } from '../middleware/limit-headers.ts';
import { type QuotaDebit } from './leased-quota.ts';

/** The amount of each metric for one request; audio is in milliseconds. */
export type MetricAmounts = Readonly<Partial<Record<QuotaMetric, number>>>;

/** The reserved amounts of a request in the quotas of its key and its workspace. */
export interface QuotaReservation {
  /** Sets the actual amounts; a metric that is left out used its reserved amount. Only the first call counts. */
  settle(actual: MetricAmounts): void;
  /** The reserved quota with the smallest remaining share, in the units of its policy; undefined without a quota. */
  tightestLimit: LimitState | undefined;
}

/** The reservation of a request without quotas; `settle` does nothing. */
export const EMPTY_RESERVATION: QuotaReservation = { settle: () => undefined, tightestLimit: undefined };

/** A debit with its metric. */
export interface MetricDebit {
  metric: QuotaMetric;
  debit: QuotaDebit;
  /** The quota after the debit. */
  left: LimitState;
}

/** Returns a reservation that settles all debits. */
export function toReservation(all: readonly MetricDebit[]): QuotaReservation {
  return {
    settle: (actual) => {
      for (const { metric, debit } of all) debit.settle(actual[metric]);
    },
    tightestLimit: all.map(({ left }) => left).reduce<LimitState | undefined>(nearer, undefined),
  };
}

function nearer(one: LimitState | undefined, other: LimitState): LimitState {
  return one && getRemainingShare(one) <= getRemainingShare(other) ? one : other;
}
