import { type GatewayError } from '@parley/protos/errors';
import { type Channel, isShuttingDown } from './channel.ts';
import { type ChannelPool } from './channel-pool.ts';
import { type MultiplexedCall, type MultiplexedInit, type StreamObserver } from './multiplexed-call.ts';
import { type Method } from './method.ts';

/** The arguments of a multiplexed call. */
export interface OpenArguments {
  method: Method;
  request: unknown;
  observer: StreamObserver<unknown>;
  init: MultiplexedInit;
  deadlineMs: number;
}

/** A multiplexed call that is retried once on another target when the first one is shutting down and refused it, so that a rolling restart fails no call. */
export class ReroutedCall implements MultiplexedCall, StreamObserver<unknown> {
  readonly #args: OpenArguments;
  readonly #giveUpAt: number;
  #pool: ChannelPool | undefined;
  #channel: Channel;
  #call: MultiplexedCall;
  #isPaused = false;

  constructor(pool: ChannelPool, args: OpenArguments) {
    this.#pool = pool;
    this.#args = args;
    this.#giveUpAt = performance.now() + args.deadlineMs;
    this.#channel = pool.pick(args.init.affinity);
    this.#call = this.#open(args.deadlineMs);
  }

  message(message: unknown): void {
    this.#pool = undefined;
    this.#args.observer.message(message);
  }

  end(): void {
    this.#args.observer.end();
  }

  fail(error: GatewayError): void {
    const other = isShuttingDown(error) ? this.#pool?.pick(this.#args.init.affinity, this.#channel) : undefined;
    this.#pool = undefined;
    if (!other || other === this.#channel) return this.#args.observer.fail(error);
    this.#channel = other;
    this.#call = this.#open(Math.max(1, this.#giveUpAt - performance.now()));
    if (this.#isPaused) this.#call.pause();
  }

  cancel(): void {
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

  #open(deadlineMs: number): MultiplexedCall {
    const { method, request, init } = this.#args;
    return this.#channel.mux(method).open(request, this, init, deadlineMs);
  }
}
