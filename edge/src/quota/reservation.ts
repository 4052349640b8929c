import { type QuotaMetric } from '@parley/protos/quotas';
import { type LimitState, shareOf } from '../middleware/limit-headers.ts';
import { type QuotaDebit } from './leased-quota.ts';

/** How much one request takes of each metric. */
export type Amounts = Readonly<Partial<Record<QuotaMetric, number>>>;

/** What a request has reserved of the quotas of its key and its workspace. */
export interface Reservation {
  /** Sets the actual amounts; a metric that is left out took what was reserved. Only the first call counts. */
  settle(actual: Amounts): void;
  /** Of the reserved quotas the one with the smallest share left, in the units of its policy; undefined without a quota. */
  nearest: LimitState | undefined;
}

/** The reservation of a key without quotas. */
export const NOTHING_RESERVED: Reservation = { settle: () => undefined, nearest: undefined };

/** A debit and its metric. */
export interface MetricDebit {
  metric: QuotaMetric;
  taken: QuotaDebit;
  /** The quota after the debit. */
  left: LimitState;
}

/** A reservation that settles all debits. */
export function toReservation(all: readonly MetricDebit[]): Reservation {
  return {
    settle: (actual) => {
      for (const { metric, taken } of all) taken.settle(actual[metric]);
    },
    nearest: all.map(({ left }) => left).reduce<LimitState | undefined>(nearer, undefined),
  };
}

function nearer(one: LimitState | undefined, other: LimitState): LimitState {
  return one && shareOf(one) <= shareOf(other) ? one : other;
}
