import { type GatewayError } from '@parley/protos/errors';
import { pause } from '../lifecycle/pause.ts';
import { type CallInit } from './call.ts';
import { type ChannelPool } from './channel-pool.ts';
import { type Channel, isShuttingDown } from './channel.ts';
import { LostCallError } from './grpc-status.ts';
import { PEER_LOSS_DETECTION_MS } from './keep-alive.ts';
import { type Method } from './method.ts';

/** Names of methods that change nothing. */
const READS = /\/(?:Get|List|Count|Sum|Recall|Check)[^/]*$/;
/** How long a call waits for another connected target, in milliseconds: longer than connecting to a replica that has just started. */
const LOOK_MS = 1_500;
const LOOK_AGAIN_MS = 25;

/** Whether a call may be carried out twice: as the caller set it, else true for methods whose names mark them as reads. */
export function isRepeatable({ path }: Method, { repeatable }: CallInit): boolean {
  return repeatable ?? READS.test(path);
}

/** Chooses other targets for one failed call. */
export class FailoverTargets {
  readonly #pool: ChannelPool;
  readonly #init: CallInit;
  readonly #repeatable: boolean;
  /** The time at which the search ends; set by the first failure. */
  #until: number | undefined;

  constructor(pool: ChannelPool, init: CallInit, repeatable: boolean) {
    this.#pool = pool;
    this.#init = init;
    this.#repeatable = repeatable;
  }

  /** Returns how long the first attempt may take, in milliseconds: for a read, at least until a frozen peer is detected. */
  getFirstDeadlineMs(deadlineMs: number): number {
    return this.#repeatable && !this.#init.repeatable ? Math.max(deadlineMs, PEER_LOSS_DETECTION_MS) : deadlineMs;
  }

  /**
   * Returns another target for a call that `failed` did not carry out: it rejected the call unread, the connection of a repeatable call
   * broke, or a call that the caller marked as repeatable timed out. Waits for a connected target; resolves undefined when there is none or
   * the call may not be repeated.
   */
  async find(failed: Channel, error: GatewayError): Promise<Channel | undefined> {
    const { affinity, signal } = this.#init;
    const isFirst = this.#until === undefined;
    const until = (this.#until ??= performance.now() + LOOK_MS);
    const isLate = error.condition === 'TIMEOUT';
    if (isLate ? !isFirst || !this.#init.repeatable : !this.#isUndone(error)) return undefined;
    while (!signal?.aborted && performance.now() < until) {
      const other = this.#pool.pickOther(affinity, failed);
      // After a timeout, do not wait for a connection as well.
      if (other || isLate) return other;
      await pause(LOOK_AGAIN_MS, signal);
    }
    return undefined;
  }

  /** Whether the call was rejected unread, or is lost and may be repeated. */
  #isUndone(error: GatewayError): boolean {
    return isShuttingDown(error) || (this.#repeatable && error instanceof LostCallError);
  }
}
