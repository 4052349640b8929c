import { type GatewayError } from '@parley/protos/errors';
import { type ChannelPool } from './channel-pool.ts';
import { type Channel } from './channel.ts';
import { FailoverTargets } from './failover-targets.ts';
import { type Method } from './method.ts';
import { type MultiplexedCall, type MultiplexedInit, type StreamObserver } from './multiplexed-call.ts';

/** The arguments of a multiplexed call. */
export interface MultiplexedCallArguments {
  method: Method;
  request: unknown;
  observer: StreamObserver<unknown>;
  init: MultiplexedInit;
  deadlineMs: number;
}

/**
 * A multiplexed call that is sent to another target when the first one is shutting down and rejected it, so that a rolling restart fails
 * no call; a repeatable call also when the first target breaks or times out.
 */
export class ReroutedCall implements MultiplexedCall, StreamObserver<unknown> {
  readonly #args: MultiplexedCallArguments;
  /** The time at which a call that is not repeatable times out. */
  readonly #giveUpAt: number;
  /** Set until the first message: afterwards the call is not repeated. */
  #elsewhere: FailoverTargets | undefined;
  #channel: Channel;
  #call: MultiplexedCall;
  #isPaused = false;
  #isCancelled = false;

  constructor(pool: ChannelPool, args: MultiplexedCallArguments) {
    const { init, deadlineMs } = args;
    this.#args = args;
    this.#giveUpAt = performance.now() + deadlineMs;
    this.#elsewhere = new FailoverTargets(pool, init, this.#isRepeatable);
    this.#channel = pool.pick(init.affinity);
    this.#call = this.#open(this.#elsewhere.getFirstDeadlineMs(deadlineMs));
  }

  get #isRepeatable(): boolean {
    return this.#args.init.repeatable === true;
  }

  message(message: unknown): void {
    this.#elsewhere = undefined;
    this.#args.observer.message(message);
  }

  end(): void {
    this.#args.observer.end();
  }

  fail(error: GatewayError): void {
    if (this.#elsewhere) void this.#goOn(this.#elsewhere, error);
    else this.#args.observer.fail(error);
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#call.cancel();
  }

  pause(): void {
    this.#isPaused = true;
    this.#call.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call.resume();
  }

  async #goOn(elsewhere: FailoverTargets, error: GatewayError): Promise<void> {
    const other = await elsewhere.find(this.#channel, error);
    if (this.#isCancelled) return;
    if (!other) return this.#args.observer.fail(error);
    this.#channel = other;
    this.#call = this.#open(this.#isRepeatable ? this.#args.deadlineMs : Math.max(1, this.#giveUpAt - performance.now()));
    if (this.#isPaused) this.#call.pause();
  }

  #open(deadlineMs: number): MultiplexedCall {
    const { method, request, init } = this.#args;
    return this.#channel.getMuxClient(method).open(request, this, init, deadlineMs);
  }
}
