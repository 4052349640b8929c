import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit, type OpenCall } from './call.ts';
import {
  type MultiplexedCall,
  type MultiplexedHandler,
  type MultiplexedInit,
  type StreamObserver,
  type ServerStream,
  WINDOW,
} from './multiplexed-call.ts';
import { hangUpWith, type InProcess } from './in-process.ts';
import { asReceived } from './status.ts';

/** Opens an exchange with a handler directly: no frames, no serialisation, the same window. */
export function multiplexInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  inlet: StreamObserver<unknown>,
  init: MultiplexedInit,
  deadlineMs: number,
): MultiplexedCall {
  if (init.rest) throw new TypeError('a service in this process takes no encoded fields');
  const exchange = new DirectExchange(target, method, inlet);
  // Never before the caller holds the exchange: over gRPC nothing answers that early either.
  queueMicrotask(() => exchange.start(request, init, deadlineMs));
  return exchange;
}

/** Both ends of an exchange inside one process. */
class DirectExchange implements MultiplexedCall, ServerStream<unknown> {
  onDrain: (() => void) | null = null;
  onCancel: ((reason: GatewayError) => void) | null = null;
  readonly #target: InProcess;
  readonly #method: string;
  readonly #inlet: StreamObserver<unknown>;
  #call: OpenCall | undefined;
  #release: () => void = () => undefined;
  /** The handler has ended the exchange; the reader may still have to take what is held. */
  #ended = false;
  /** The reader hears nothing more. */
  #over = false;
  #paused = false;
  #held: { deliver: () => void; weight: number }[] = [];
  #heldWeight = 0;
  #full = false;

  constructor(target: InProcess, method: string, inlet: StreamObserver<unknown>) {
    this.#target = target;
    this.#method = method;
    this.#inlet = inlet;
  }

  start(request: unknown, init: CallInit, deadlineMs: number): void {
    if (this.#over) return;
    let call: OpenCall;
    try {
      call = this.#call = this.#target.enter(init, deadlineMs);
    } catch (error) {
      this.#over = true;
      this.#inlet.fail(toGatewayError(error));
      return;
    }
    this.#release = hangUpWith(init.signal, call);
    call.onAbort = (reason) => this.#giveUp(reason);
    const handler = this.#target.handlers[this.#method] as MultiplexedHandler<unknown, unknown>;
    try {
      handler(request, this, call)?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  write(message: unknown, weight: number): boolean {
    if (this.#over || this.#ended) return true;
    this.#deliver(() => this.#inlet.message(message), weight);
    this.#full = this.#heldWeight >= WINDOW;
    return !this.#full;
  }

  end(last?: unknown): void {
    this.#finish(() => {
      if (last !== undefined) this.#inlet.message(last);
      this.#inlet.end();
    });
  }

  fail(thrown: unknown): void {
    const failure = asReceived(this.#target.gate.failure(thrown, this.#call, this.#method));
    this.#finish(() => this.#inlet.fail(failure));
  }

  cancel(): void {
    if (this.#over) return;
    this.#close();
    this.#stopWork(new GatewayError('CANCELLED', 'the reader gave up'));
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused) {
      const next = this.#held.shift();
      if (!next) break;
      this.#heldWeight -= next.weight;
      next.deliver();
    }
    if (!this.#full || this.#heldWeight >= WINDOW || this.#ended) return;
    this.#full = false;
    this.onDrain?.();
  }

  #deliver(deliver: () => void, weight: number): void {
    // What is held goes first, also when the reader writes through its own delivery.
    if (!this.#paused && this.#held.length === 0) return deliver();
    this.#held.push({ deliver, weight });
    this.#heldWeight += weight;
  }

  #finish(deliver: () => void): void {
    if (this.#ended || this.#over) return;
    this.#ended = true;
    if (this.#call) this.#target.leave(this.#call);
    this.#deliver(() => {
      this.#close();
      this.#call?.settle();
      deliver();
    }, 0);
  }

  #giveUp(reason: GatewayError): void {
    if (this.#over) return;
    this.#close();
    this.#inlet.fail(reason);
    this.#stopWork(reason);
  }

  #stopWork(reason: GatewayError): void {
    const call = this.#call;
    if (!call) return;
    call.onAbort = null;
    call.abort(reason);
    call.settle();
    if (this.#ended) return;
    this.#ended = true;
    this.#target.leave(call);
    this.onCancel?.(reason);
  }

  #close(): void {
    this.#over = true;
    this.#held = [];
    this.#heldWeight = 0;
    this.#release();
  }
}
