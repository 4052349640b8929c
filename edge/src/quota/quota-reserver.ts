import { type RecurringTask, startRecurringTask } from '@parley/kit/lifecycle/recurring-task';
import { type Logger } from '@parley/kit/log/logger';
import { type Quota } from '../config/quota-policy.ts';
import { LeasedQuota, type QuotaDebit } from './leased-quota.ts';
import { type MetricAmounts, type MetricDebit, EMPTY_RESERVATION, type QuotaReservation, toReservation } from './quota-reservation.ts';
import { type SharedQuotaCounter } from './shared-quota-counter.ts';

/**
 * Reserves the amounts of a request in its quotas; returns a promise only when a lease is needed. Throws, or rejects, as
 * `LeasedQuota.debit` does.
 */
export type Reserve = (quotas: readonly Quota[], amounts: MetricAmounts) => QuotaReservation | Promise<QuotaReservation>;

/** A quota and its pending debit. */
interface Taking {
  quota: Quota;
  holding: LeasedQuota;
  taken: QuotaDebit | Promise<QuotaDebit>;
}

const ROUND_MS = 1_000;
/** Milliseconds after which an unused lease is returned, so that other edges can use it. */
const IDLE_MS = 3_000;

/** Reserves the amounts of requests in the leased quotas of this edge. */
export class QuotaReserver {
  readonly #leaser: SharedQuotaCounter;
  readonly #holdings = new Map<string, LeasedQuota>();
  readonly #rounds: RecurringTask;

  constructor(leaser: SharedQuotaCounter, log: Logger) {
    this.#leaser = leaser;
    const failed = (err: unknown) => log.warn({ err }, 'quotas could not be given back');
    this.#rounds = startRecurringTask(() => this.#giveBackIdle(), { everyMs: ROUND_MS, failed });
  }

  /** Debits every quota with the amount of its metric: all of them, or none. */
  readonly reserve: Reserve = (quotas, amounts) => {
    if (quotas.length === 0) return EMPTY_RESERVATION;
    const concerned = quotas.filter(({ metric }) => (amounts[metric] ?? 0) > 0);
    const taking: Taking[] = [];
    try {
      for (const quota of concerned) {
        const holding = this.#holding(quota);
        taking.push({ quota, holding, taken: holding.debit(quota, amounts[quota.metric] ?? 0) });
      }
    } catch (error) {
      for (const { taken } of taking) void Promise.resolve(taken).then(putBack, () => undefined);
      throw error;
    }
    const isInHand = taking.every(({ taken }) => !(taken instanceof Promise));
    if (isInHand) return toReservation(taking.map((one) => toDebit(one, one.taken as QuotaDebit)));
    return this.#gather(taking);
  };

  /** The number of quotas with a leased balance, an overdraft or an open debit. */
  countLeases(): number {
    let leases = 0;
    for (const { isEmpty } of this.#holdings.values()) if (!isEmpty) leases++;
    return leases;
  }

  /** Units of a quota that this process has leased and not debited; negative when it debited more. */
  getLeasedBalance(quota: Quota): number {
    return this.#holdings.get(keyOf(quota))?.leasedBalance ?? 0;
  }

  /** Returns all balances to the shared counter. */
  async flush(): Promise<void> {
    await Promise.all([...this.#holdings.values()].map((holding) => holding.returnBalance()));
  }

  /** Stops the timer and returns all balances. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.flush();
  }

  async #gather(taking: readonly Taking[]): Promise<QuotaReservation> {
    const results = await Promise.allSettled(taking.map(async (one) => toDebit(one, await one.taken)));
    const all = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refusal = results.find((result) => result.status === 'rejected');
    if (!refusal) return toReservation(all);
    for (const { debit } of all) putBack(debit);
    throw refusal.reason;
  }

  #holding(quota: Quota): LeasedQuota {
    const key = keyOf(quota);
    let holding = this.#holdings.get(key);
    if (!holding) this.#holdings.set(key, (holding = new LeasedQuota(quota, this.#leaser)));
    return holding;
  }

  async #giveBackIdle(): Promise<void> {
    const before = performance.now() - IDLE_MS;
    const idle = [...this.#holdings].filter(([, { usedAt }]) => usedAt < before);
    await Promise.all(
      idle.map(async ([key, holding]) => {
        await holding.returnBalance();
        if (holding.isEmpty && holding.usedAt < before) this.#holdings.delete(key);
      }),
    );
  }
}

function keyOf({ kind, id, metric, policy }: Quota): string {
  return `${kind} ${id} ${metric} ${policy.seconds}`;
}

function toDebit({ quota: { metric }, holding }: Taking, debit: QuotaDebit): MetricDebit {
  return { metric, debit, left: holding.state };
}

function putBack(taken: QuotaDebit): void {
  taken.settle(0);
}
