import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit, type OpenCall } from './call.ts';
import { toReceivedError } from './grpc-status.ts';
import { forwardAbort, type InProcessService } from './in-process-service.ts';
import {
  type MultiplexedCall,
  type MultiplexedHandler,
  type MultiplexedInit,
  type StreamObserver,
  type ServerStream,
  WINDOW_BYTES,
} from './multiplexed-call.ts';

/** Opens a multiplexed call to a handler in this process: no frames, no serialisation, the same window. */
export function openMultiplexedInProcess(
  target: InProcessService,
  method: string,
  request: unknown,
  observer: StreamObserver<unknown>,
  init: MultiplexedInit,
  deadlineMs: number,
): MultiplexedCall {
  if (init.rest) throw new TypeError('a service in this process takes no encoded fields');
  const call = new DirectCall(target, method, observer);
  // Starts after the caller has the return value, as over gRPC.
  queueMicrotask(() => call.start(request, init, deadlineMs));
  return call;
}

/** A message that waits for a paused reader; `end` is set on the last one and ends the call. */
interface HeldMessage {
  message: unknown;
  weight: number;
  end?: CallEnd;
}

interface CallEnd {
  failure: GatewayError | undefined;
}

/** Both sides of a multiplexed call inside one process. */
class DirectCall implements MultiplexedCall, ServerStream<unknown> {
  onDrain: (() => void) | null = null;
  onCancel: ((reason: GatewayError) => void) | null = null;
  readonly #target: InProcessService;
  readonly #method: string;
  readonly #observer: StreamObserver<unknown>;
  #call: OpenCall | undefined;
  #release: () => void = () => undefined;
  /** The handler has ended the call; held messages may still be delivered. */
  #ended = false;
  /** The observer receives nothing more. */
  #over = false;
  #paused = false;
  #held: HeldMessage[] = [];
  #heldWeight = 0;
  #full = false;

  constructor(target: InProcessService, method: string, observer: StreamObserver<unknown>) {
    this.#target = target;
    this.#method = method;
    this.#observer = observer;
  }

  start(request: unknown, init: CallInit, deadlineMs: number): void {
    if (this.#over) return;
    let call: OpenCall;
    try {
      call = this.#call = this.#target.beginCall(init, deadlineMs);
    } catch (error) {
      this.#over = true;
      this.#observer.fail(toGatewayError(error));
      return;
    }
    this.#release = forwardAbort(init.signal, call);
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
    // Held messages are delivered first, also when a delivery causes another write.
    if (!this.#paused && this.#held.length === 0) {
      this.#observer.message(message);
      return true;
    }
    this.#held.push({ message, weight });
    this.#heldWeight += weight;
    this.#full = this.#heldWeight >= WINDOW_BYTES;
    return !this.#full;
  }

  end(last?: unknown): void {
    this.#finish(last, { failure: undefined });
  }

  fail(thrown: unknown): void {
    const failure = toReceivedError(this.#target.tracker.toFailure(thrown, this.#call, this.#method));
    this.#finish(undefined, { failure });
  }

  cancel(): void {
    if (this.#over) return;
    this.#close();
    this.#stopWork(new GatewayError('CANCELLED', 'the caller cancelled'));
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
      if (next.end) this.#deliverEnd(next.message, next.end);
      else this.#observer.message(next.message);
    }
    if (!this.#full || this.#heldWeight >= WINDOW_BYTES || this.#ended) return;
    this.#full = false;
    this.onDrain?.();
  }

  #finish(message: unknown, end: CallEnd): void {
    if (this.#ended || this.#over) return;
    this.#ended = true;
    if (this.#call) this.#target.endCall(this.#call);
    if (!this.#paused && this.#held.length === 0) this.#deliverEnd(message, end);
    else this.#held.push({ message, weight: 0, end });
  }

  #deliverEnd(message: unknown, { failure }: CallEnd): void {
    this.#close();
    this.#call?.settle();
    if (failure) return this.#observer.fail(failure);
    if (message !== undefined) this.#observer.message(message);
    this.#observer.end();
  }

  #giveUp(reason: GatewayError): void {
    if (this.#over) return;
    this.#close();
    this.#observer.fail(reason);
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
    this.#target.endCall(call);
    this.onCancel?.(reason);
  }

  #close(): void {
    this.#over = true;
    this.#held = [];
    this.#heldWeight = 0;
    this.#release();
  }
}
