import { type QuotaMetric } from '@parley/protos/quotas';
import { type Taken } from './holding.ts';

/** How much one request takes of each metric. */
export type Amounts = Readonly<Partial<Record<QuotaMetric, number>>>;

/** What a request has taken of the quotas of its key and its workspace. */
export interface Reservation {
  /** Says, once, what it really took; what is left out took what was reserved. Only the first time counts. */
  settle(actual: Amounts): void;
}

/** Of whoever has no quota. */
export const NOTHING_RESERVED: Reservation = { settle: () => undefined };

/** Taken units of a metric. */
export interface TakenOf {
  metric: QuotaMetric;
  taken: Taken;
}

/** One that settles all of them. */
export function reservationOf(all: readonly TakenOf[]): Reservation {
  return {
    settle: (actual) => {
      for (const { metric, taken } of all) taken.settle(actual[metric]);
    },
  };
}
