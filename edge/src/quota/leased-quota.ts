import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type Quota } from '../config/quota-policy.ts';
import { type LimitState } from '../middleware/limit-headers.ts';
import { QuotaExceededError } from './quota-exceeded-error.ts';
import { type SharedQuotaCounter, type LeaseOperation } from './shared-quota-counter.ts';

/** Units that were debited from a leased quota; unused ones can be returned. */
export interface QuotaDebit {
  /** Sets the actual amount, by default the debited one; the difference is returned or debited as well. Only the first call counts. */
  settle(actual?: number): void;
}

interface Waiter {
  units: number;
  resolve: (taken: QuotaDebit) => void;
  reject: (error: unknown) => void;
}

/** Size of the first block, as a multiple of the first request. */
const FIRST_BLOCK = 16;
/**
 * A block that is used up faster than `TOO_SHORT_MS` doubles the size of the next one; a block that lasts longer than `TOO_LONG_MS` halves
 * it.
 */
const TOO_SHORT_MS = 1_000;
const TOO_LONG_MS = 10_000;
/** How long a quota counts as used up after a denied lease, in milliseconds: other edges may return units. */
const SPENT_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * The units of one quota that this process has leased. Requests debit it without a call; the next block is leased in the background when
 * half of the last one is used. The operations on its lease run one after the other.
 */
export class LeasedQuota {
  readonly #leaser: SharedQuotaCounter;
  #quota: Quota;
  #balance = 0;
  /** Units that were left for further blocks of all edges when this process last leased or returned one. */
  #left = 0;
  /** Units of the next lease. */
  #block = 0;
  /** Balance below which the next block is leased. */
  #low = 0;
  /** Units that the last request debited. */
  #usual = 1;
  #leaseId = uuidv7();
  #move = 0;
  /** True when the answer to a lease was lost: it is requested again with the same number, so that its block is not lost. */
  #isUnanswered = false;
  /** End of the window on the monotonic clock; infinite without a lease. */
  #endsAt = Number.POSITIVE_INFINITY;
  #leasedAt = 0;
  /** The smallest amount that was denied last, in units. */
  #short = Number.POSITIVE_INFINITY;
  #shortUntil = 0;
  #waiting: Waiter[] = [];
  #working: Promise<void> | undefined;
  #open = 0;
  /** When units were last debited, on the monotonic clock. */
  usedAt = performance.now();

  constructor(quota: Quota, leaser: SharedQuotaCounter) {
    this.#quota = quota;
    this.#leaser = leaser;
  }

  /** True when the balance is zero, no debit is open and no operation is running. */
  get isEmpty(): boolean {
    return this.#balance === 0 && this.#open === 0 && this.#waiting.length === 0 && !this.#working;
  }

  /** Units that are leased and not debited; negative when more was debited than leased. */
  get leasedBalance(): number {
    return performance.now() < this.#endsAt ? this.#balance : 0;
  }

  /**
   * The limit after the last debit, in the units of its policy. The remaining units are the leased balance plus those that were left for
   * others: exact with one edge; other edges may have leased more since.
   */
  get state(): LimitState {
    const { limit, policy } = this.#quota;
    const remaining = Math.floor((Math.max(0, this.#balance + this.#left) * policy.points) / limit);
    return { limit: policy.points, remaining, resetMs: Math.max(0, this.#endsAt - performance.now()) };
  }

  /**
   * Debits units: at once from the balance, else the result is a promise. An amount above the limit counts as the whole limit.
   * @throws QuotaExceededError, or rejects with it or SERVICE_UNAVAILABLE
   */
  debit(quota: Quota, amount: number): QuotaDebit | Promise<QuotaDebit> {
    const now = performance.now();
    const units = Math.min(amount, quota.limit);
    // The limit was changed since the last lease.
    this.#left += quota.limit - this.#quota.limit;
    this.#quota = quota;
    this.#usual = units;
    this.usedAt = now;
    if (now >= this.#endsAt) this.#begin();
    if (this.#waiting.length === 0 && this.#balance >= units) {
      const taken = this.#hand(units);
      if (this.#balance < this.#low && now >= this.#shortUntil) this.#work();
      return taken;
    }
    if (units - this.#balance >= this.#short && now < this.#shortUntil) throw new QuotaExceededError(quota, this.#endsAt - now);
    if (this.#block === 0) this.#block = FIRST_BLOCK * units;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ units, resolve, reject });
      this.#work();
    });
  }

  /** Returns the balance to the shared counter, or pays an overdraft; what cannot be settled now is lost until the window ends. */
  async returnBalance(): Promise<void> {
    while (this.#working) await this.#working;
    if (this.#balance === 0 || this.#waiting.length > 0) return;
    const unused = this.#balance;
    this.#left += unused;
    this.#balance = 0;
    this.#block = 0;
    this.#low = 0;
    this.#isUnanswered = false;
    this.#move++;
    const settling = this.#leaser.settle(this.#at(), unused).catch(() => undefined);
    this.#working = settling.finally(() => this.#rest());
    await this.#working;
  }

  #hand(units: number): QuotaDebit {
    const leaseId = this.#leaseId;
    let isOpen = true;
    this.#balance -= units;
    this.#open++;
    return {
      settle: (actual = units) => {
        if (!isOpen) return;
        isOpen = false;
        this.#open--;
        // A debit of an earlier window no longer counts.
        if (leaseId === this.#leaseId) this.#balance += units - actual;
      },
    };
  }

  /** Starts a new window; the balance of the old one does not carry over. */
  #begin(): void {
    if (this.#balance !== 0) this.#leaser.settle({ leaseId: this.#leaseId, move: this.#move + 1 }, this.#balance).catch(() => undefined);
    this.#leaseId = uuidv7();
    this.#move = 0;
    this.#balance = 0;
    this.#isUnanswered = false;
    this.#endsAt = Number.POSITIVE_INFINITY;
    this.#shortUntil = 0;
  }

  #work(): void {
    this.#working ??= this.#fetch().finally(() => this.#rest());
  }

  /** Starts the next operation for requests that arrived during the last one. */
  #rest(): void {
    this.#working = undefined;
    if (this.#waiting.length > 0) this.#work();
  }

  async #fetch(): Promise<void> {
    if (performance.now() >= this.#endsAt) this.#begin();
    const quota = this.#quota;
    const [first] = this.#waiting;
    const needed = first ? first.units - this.#balance : this.#usual;
    const wanted = Math.max(this.#block, this.#waiting.reduce((sum, { units }) => sum + units, 0) - this.#balance);
    if (!this.#isUnanswered) this.#move++;
    this.#isUnanswered = true;
    const at = this.#at();
    try {
      const block = await this.#leaser.lease(at, quota, needed, wanted);
      // When the window ended meanwhile, its block is void.
      if (at.leaseId !== this.#leaseId) return;
      this.#isUnanswered = false;
      if (!block) return this.#begin();
      this.#endsAt = block.endsAt;
      this.#left = block.left;
      if (block.granted > 0) this.#add(block.granted);
      else this.#refuse(needed);
    } catch (cause) {
      const error = new GatewayError('SERVICE_UNAVAILABLE', 'the quota cannot be checked', { cause, retryAfterMs: RETRY_MS });
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }

  #add(granted: number): void {
    const now = performance.now();
    const lastedMs = now - this.#leasedAt;
    if (lastedMs < TOO_SHORT_MS) this.#block = Math.min(this.#block * 2, this.#quota.limit);
    else if (lastedMs > TOO_LONG_MS) this.#block = Math.ceil(this.#block / 2);
    this.#leasedAt = now;
    // Half of the granted units, not of the requested ones: near the limit it would otherwise lease with every request and hoard units.
    this.#low = granted / 2;
    this.#balance += granted;
    for (let next = this.#waiting[0]; next && next.units <= this.#balance; next = this.#waiting[0]) {
      this.#waiting.shift();
      next.resolve(this.#hand(next.units));
    }
  }

  /** Rejects the first waiting request, and all that need at least as much. */
  #refuse(needed: number): void {
    const now = performance.now();
    this.#short = needed;
    this.#shortUntil = now + SPENT_MS;
    const isTooMuch = ({ units }: Waiter) => units - this.#balance >= needed;
    for (const { reject } of this.#waiting.filter(isTooMuch)) reject(new QuotaExceededError(this.#quota, this.#endsAt - now));
    this.#waiting = this.#waiting.filter((waiter) => !isTooMuch(waiter));
  }

  #at(): LeaseOperation {
    return { leaseId: this.#leaseId, move: this.#move };
  }
}
