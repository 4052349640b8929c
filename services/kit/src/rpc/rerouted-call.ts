import { type GatewayError } from '@parley/protos/errors';
import { type Channel, isTurnedAway } from './channel.ts';
import { type Channels } from './channels.ts';
import { type MultiplexedCall, type MultiplexedInit, type StreamObserver } from './multiplexed-call.ts';
import { type Method } from './method.ts';

/** What an exchange is opened with. */
export interface Opening {
  method: Method;
  request: unknown;
  inlet: StreamObserver<unknown>;
  init: MultiplexedInit;
  deadlineMs: number;
}

/** An exchange that goes to another address, once, when the first one stops and has refused it: a rolling restart costs nobody a turn. */
export class ReroutedCall implements MultiplexedCall, StreamObserver<unknown> {
  readonly #opening: Opening;
  readonly #giveUpAt: number;
  #channels: Channels | undefined;
  #channel: Channel;
  #exchange: MultiplexedCall;
  #isPaused = false;

  constructor(channels: Channels, opening: Opening) {
    this.#channels = channels;
    this.#opening = opening;
    this.#giveUpAt = performance.now() + opening.deadlineMs;
    this.#channel = channels.pick(opening.init.affinity);
    this.#exchange = this.#open(opening.deadlineMs);
  }

  message(message: unknown): void {
    this.#channels = undefined;
    this.#opening.inlet.message(message);
  }

  end(): void {
    this.#opening.inlet.end();
  }

  fail(error: GatewayError): void {
    const other = isTurnedAway(error) ? this.#channels?.pick(this.#opening.init.affinity, this.#channel) : undefined;
    this.#channels = undefined;
    if (!other || other === this.#channel) return this.#opening.inlet.fail(error);
    this.#channel = other;
    this.#exchange = this.#open(Math.max(1, this.#giveUpAt - performance.now()));
    if (this.#isPaused) this.#exchange.pause();
  }

  cancel(): void {
    this.#exchange.cancel();
  }

  pause(): void {
    this.#isPaused = true;
    this.#exchange.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#exchange.resume();
  }

  #open(deadlineMs: number): MultiplexedCall {
    const { method, request, init } = this.#opening;
    return this.#channel.mux(method).open(request, this, init, deadlineMs);
  }
}
