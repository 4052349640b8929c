import { type GatewayError } from '@parley/protos/errors';
import { pause } from '../lifecycle/pause.ts';
import { type CallInit } from './call.ts';
import { type Channel, isShuttingDown } from './channel.ts';
import { type ChannelPool } from './channel-pool.ts';
import { NOTICED_MS } from './keep-alive.ts';
import { type Method } from './method.ts';
import { LostCallError } from './status.ts';

/** Names of methods that change nothing. */
const READS = /\/(?:Get|List|Count|Sum|Recall|Check)[^/]*$/;
/** How long a call looks for another target that is connected: longer than it takes to connect to a replica that has just started. */
const LOOK_MS = 1_500;
const LOOK_AGAIN_MS = 25;

/** Whether a call with one request may be carried out twice. */
export function isRepeatable({ path }: Method, { repeatable }: CallInit): boolean {
  return repeatable ?? READS.test(path);
}

/** Finds other targets for one call. */
export class Elsewhere {
  readonly #pool: ChannelPool;
  readonly #init: CallInit;
  readonly #repeatable: boolean;
  /** When it stops looking; set by the first failure. */
  #until: number | undefined;

  constructor(pool: ChannelPool, init: CallInit, repeatable: boolean) {
    this.#pool = pool;
    this.#init = init;
    this.#repeatable = repeatable;
  }

  /** How long the first attempt may take, in milliseconds: a read, which waits for one answer, at least until a frozen peer is noticed. */
  toFirstDeadline(deadlineMs: number): number {
    return this.#repeatable && !this.#init.repeatable ? Math.max(deadlineMs, NOTICED_MS) : deadlineMs;
  }

  /**
   * The target for a call that `failed` did not carry out: it refused the call unread, or the call is repeatable and its connection broke or, where the
   * caller says that it is repeatable, its time was up. Waits for a target that is connected; undefined when the call may not go anywhere.
   */
  async find(failed: Channel, error: GatewayError): Promise<Channel | undefined> {
    const { affinity, signal } = this.#init;
    const isFirst = this.#until === undefined;
    const until = (this.#until ??= performance.now() + LOOK_MS);
    const isLate = error.condition === 'TIMEOUT';
    if (isLate ? !isFirst || !this.#init.repeatable : !this.#isUndone(error)) return undefined;
    while (!signal?.aborted && performance.now() < until) {
      const other = this.#pool.pickOther(affinity, failed);
      // A call that has waited for an answer does not wait for a connection too.
      if (other || isLate) return other;
      await pause(LOOK_AGAIN_MS, signal);
    }
    return undefined;
  }

  /** Whether the call was refused unread, or is lost and may be repeated. */
  #isUndone(error: GatewayError): boolean {
    return isShuttingDown(error) || (this.#repeatable && error instanceof LostCallError);
  }
}
