import { type QuotaMetric } from '@parley/protos/quotas';
import { type QuotaDebit } from './leased-quota.ts';

/** How much one request takes of each metric. */
export type Amounts = Readonly<Partial<Record<QuotaMetric, number>>>;

/** What a request has reserved of the quotas of its key and its workspace. */
export interface Reservation {
  /** Sets the actual amounts; a metric that is left out took what was reserved. Only the first call counts. */
  settle(actual: Amounts): void;
}

/** The reservation of a key without quotas. */
export const NOTHING_RESERVED: Reservation = { settle: () => undefined };

/** A debit and its metric. */
export interface MetricDebit {
  metric: QuotaMetric;
  taken: QuotaDebit;
}

/** A reservation that settles all debits. */
export function toReservation(all: readonly MetricDebit[]): Reservation {
  return {
    settle: (actual) => {
      for (const { metric, taken } of all) taken.settle(actual[metric]);
    },
  };
}
