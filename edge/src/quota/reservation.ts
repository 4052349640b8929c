import { type QuotaMetric } from '@parley/protos/quotas';
import { type QuotaDebit } from './leased-quota.ts';

/** How much one request takes of each metric. */
export type Amounts = Readonly<Partial<Record<QuotaMetric, number>>>;

/** What a request has taken of the quotas of its key and its workspace. */
export interface Reservation {
  /** Says, once, what it really took; what is left out took what was reserved. Only the first time counts. */
  settle(actual: Amounts): void;
}

/** Of whoever has no quota. */
export const NOTHING_RESERVED: Reservation = { settle: () => undefined };

/** QuotaDebit units of a metric. */
export interface MetricDebit {
  metric: QuotaMetric;
  taken: QuotaDebit;
}

/** One that settles all of them. */
export function toReservation(all: readonly MetricDebit[]): Reservation {
  return {
    settle: (actual) => {
      for (const { metric, taken } of all) taken.settle(actual[metric]);
    },
  };
}
