import { GatewayError } from '@parley/protos/errors';
import { LinkedSet } from '../collections/linked-set.ts';
import { type CallInit, OpenCall } from './call.ts';
import { closed, type Gate } from './gate.ts';
import { asReceived } from './status.ts';

/** The address of a service in this process: its handlers, called directly with the same caller, deadline, abort and coded errors. */
export class InProcess {
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly gate: Gate;
  readonly #live = new LinkedSet<OpenCall>();

  constructor(handlers: object, gate: Gate) {
    this.handlers = handlers as Record<string, unknown>;
    this.gate = gate;
  }

  /** Counts a call in. Throws what the gate refuses with, and CANCELLED for a caller who has given up already. */
  enter(init: CallInit, deadlineMs: number): OpenCall {
    if (init.signal?.aborted) throw gaveUp();
    this.gate.enter();
    const call = new OpenCall(init.caller, deadlineMs, init.traceparent);
    this.#live.add(call);
    return call;
  }

  /** The handler has done its work. */
  leave(call: OpenCall): void {
    if (this.#live.delete(call)) this.gate.leave();
  }

  /** Gives up what is under way, as the end of a process does to its connections. */
  close(): void {
    this.gate.close();
    for (const call of this.#live) call.abort(closed());
  }
}

/** Calls a handler with one answer directly. */
export async function callInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): Promise<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => Promise<unknown>;
  const call = target.enter(init, deadlineMs);
  const release = hangUpWith(init.signal, call);
  try {
    return await new Promise((resolve, reject) => {
      call.onAbort = reject;
      run(target, method, call, () => handler(request, call)).then(resolve, reject);
    });
  } finally {
    release();
  }
}

/** The work counts until the handler is done with it, though its caller may have left before. */
async function run(target: InProcess, method: string, call: OpenCall, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw asReceived(target.gate.failure(error, call, method));
  } finally {
    call.settle();
    target.leave(call);
  }
}

/** Iterates a handler with many answers directly. */
export async function* iterateInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): AsyncGenerator<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => AsyncIterable<unknown>;
  const call = target.enter(init, deadlineMs);
  const release = hangUpWith(init.signal, call);
  let source: AsyncIterator<unknown> | undefined;
  let exhausted = false;
  try {
    source = handler(request, call)[Symbol.asyncIterator]();
    for (;;) {
      const item = await nextOf(source, call);
      exhausted = item.done === true;
      if (exhausted) return;
      yield item.value;
    }
  } catch (error) {
    throw asReceived(target.gate.failure(error, call, method));
  } finally {
    release();
    call.onAbort = null;
    if (!exhausted) call.abort(new GatewayError('CANCELLED', 'the reader stopped'));
    call.settle();
    void stop(source).finally(() => target.leave(call));
  }
}

/** The next item, or the reason the call was given up for, whichever is first. */
function nextOf(source: AsyncIterator<unknown>, call: OpenCall): Promise<IteratorResult<unknown>> {
  return new Promise((resolve, reject) => {
    if (call.abandoned) return reject(call.abandoned);
    call.onAbort = reject;
    source.next().then(resolve, reject);
  });
}

async function stop(source: AsyncIterator<unknown> | undefined): Promise<void> {
  await source?.return?.().catch(() => undefined);
}

/** Gives a call up when its caller does. The answer ends the watch. */
export function hangUpWith(signal: AbortSignal | undefined, call: OpenCall): () => void {
  if (!signal) return () => undefined;
  const hangUp = () => call.abort(gaveUp());
  signal.addEventListener('abort', hangUp, { once: true });
  return () => signal.removeEventListener('abort', hangUp);
}

function gaveUp(): GatewayError {
  return new GatewayError('CANCELLED', 'the caller gave up');
}
