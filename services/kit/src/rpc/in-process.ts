import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit, OpenCall } from './call.ts';
import { type Exchange, type ExchangeHandler, type Inlet, type Outlet, WINDOW } from './exchange.ts';
import { type Gate } from './gate.ts';

/** The address of a service in this process: its handlers, called directly with the same caller, deadline, abort and coded errors. */
export class InProcess {
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly gate: Gate;

  constructor(handlers: object, gate: Gate) {
    this.handlers = handlers as Record<string, unknown>;
    this.gate = gate;
  }
}

/** Calls a unary or streaming-request handler directly. */
export function callInProcess(target: InProcess, method: string, request: unknown, init: CallInit, deadlineMs: number): Promise<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => Promise<unknown>;
  return new Promise((resolve, reject) => {
    target.gate.enter();
    const call = new OpenCall(init.caller, deadlineMs, init.traceparent);
    const settle = () => {
      call.settle();
      init.signal?.removeEventListener('abort', hangUp);
      target.gate.leave();
    };
    const hangUp = () => call.abort(new GatewayError('CANCELLED', 'the caller gave up'));
    call.onAbort = reject;
    if (init.signal?.aborted) hangUp();
    else init.signal?.addEventListener('abort', hangUp, { once: true });
    handler(request, call).then(
      (result) => (settle(), resolve(result)),
      (error: unknown) => (settle(), reject(coded(target, method, error))),
    );
  });
}

/** Iterates a streaming-response handler directly. */
export async function* iterateInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): AsyncGenerator<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => AsyncIterable<unknown>;
  target.gate.enter();
  const call = new OpenCall(init.caller, deadlineMs, init.traceparent);
  const hangUp = () => call.abort(new GatewayError('CANCELLED', 'the caller gave up'));
  init.signal?.addEventListener('abort', hangUp, { once: true });
  try {
    for await (const item of handler(request, call)) {
      call.signal.throwIfAborted();
      yield item;
    }
  } catch (error) {
    throw coded(target, method, error);
  } finally {
    call.abort(new GatewayError('CANCELLED', 'the reader stopped'));
    init.signal?.removeEventListener('abort', hangUp);
    target.gate.leave();
  }
}

/** Opens an exchange with a handler directly: no frames, no serialisation, the same window. */
export function exchangeInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  inlet: Inlet<unknown>,
  init: CallInit,
  deadlineMs: number,
): Exchange {
  const exchange = new DirectExchange(target, method, inlet, new OpenCall(init.caller, deadlineMs, init.traceparent));
  exchange.start(request);
  return exchange;
}

/** Both ends of an exchange inside one process. */
class DirectExchange implements Exchange, Outlet<unknown> {
  onDrain: (() => void) | null = null;
  onCancel: ((reason: GatewayError) => void) | null = null;
  readonly #target: InProcess;
  readonly #method: string;
  readonly #inlet: Inlet<unknown>;
  readonly #call: OpenCall;
  #done = false;
  #paused = false;
  #held: (() => void)[] = [];
  #heldWeight = 0;

  constructor(target: InProcess, method: string, inlet: Inlet<unknown>, call: OpenCall) {
    this.#target = target;
    this.#method = method;
    this.#inlet = inlet;
    this.#call = call;
  }

  start(request: unknown): void {
    try {
      this.#target.gate.enter();
    } catch (error) {
      this.#done = true;
      this.#call.settle();
      this.#inlet.fail(toGatewayError(error));
      return;
    }
    this.#call.onAbort = (reason) => {
      this.#held = [];
      if (this.#close()) this.#inlet.fail(reason);
      this.onCancel?.(reason);
    };
    const handler = this.#target.handlers[this.#method] as ExchangeHandler<unknown, unknown>;
    try {
      handler(request, this, this.#call)?.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  write(message: unknown, weight: number): boolean {
    if (this.#done) return true;
    if (!this.#paused) {
      this.#inlet.message(message);
      return true;
    }
    this.#held.push(() => this.#inlet.message(message));
    this.#heldWeight += weight;
    return this.#heldWeight < WINDOW;
  }

  end(last?: unknown): void {
    this.#finish(() => {
      if (last !== undefined) this.#inlet.message(last);
      this.#inlet.end();
    });
  }

  fail(error: unknown): void {
    if (this.#done) return;
    const failure = coded(this.#target, this.#method, error);
    this.#finish(() => this.#inlet.fail(failure));
  }

  cancel(): void {
    if (!this.#close()) return;
    this.#call.abort(new GatewayError('CANCELLED', 'the reader gave up'));
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (!this.#paused) {
      const next = this.#held.shift();
      if (!next) break;
      next();
    }
    if (this.#held.length > 0) return;
    this.#heldWeight = 0;
    if (!this.#done) this.onDrain?.();
  }

  #finish(deliver: () => void): void {
    if (!this.#close()) return;
    this.#call.settle();
    if (this.#paused) this.#held.push(deliver);
    else deliver();
  }

  #close(): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#target.gate.leave();
    return true;
  }
}

function coded(target: InProcess, method: string, error: unknown): GatewayError {
  const failure = toGatewayError(error);
  if (failure.condition === 'INTERNAL_ERROR') target.gate.report(failure, method);
  return failure;
}
