import { GatewayError } from '@parley/protos/errors';
import { LinkedSet } from '../collections/linked-set.ts';
import { serviceClosedError, type CallTracker } from './call-tracker.ts';
import { type CallInit, OpenCall, toSpanParent } from './call.ts';
import { toReceivedError } from './grpc-status.ts';

/**
 * A service in this process as an address: its handlers are called directly, with the same caller, deadline, abort signal and error codes
 * as over gRPC.
 */
export class InProcessService {
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly tracker: CallTracker;
  readonly #live = new LinkedSet<OpenCall>();

  constructor(handlers: object, tracker: CallTracker) {
    this.handlers = handlers as Record<string, unknown>;
    this.tracker = tracker;
  }

  /** Counts a call that starts and returns it. Throws the tracker's error, and CANCELLED when the caller has already cancelled. */
  beginCall(init: CallInit, deadlineMs: number): OpenCall {
    if (init.signal?.aborted) throw cancelled();
    this.tracker.beginCall();
    const call = new OpenCall(init.caller, deadlineMs, toSpanParent(init));
    this.#live.add(call);
    return call;
  }

  /** Counts a call whose handler has finished. */
  endCall(call: OpenCall): void {
    if (this.#live.delete(call)) this.tracker.endCall();
  }

  /** Rejects new calls and aborts those in progress with SERVICE_UNAVAILABLE, as when a process exits. */
  close(): void {
    this.tracker.close();
    for (const call of this.#live) call.abort(serviceClosedError());
  }
}

/** Calls a handler with one response directly. Rejects with the error that a remote caller would receive. */
export async function callInProcess(
  target: InProcessService,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): Promise<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => Promise<unknown>;
  const call = target.beginCall(init, deadlineMs);
  const release = forwardAbort(init.signal, call);
  try {
    return await new Promise((resolve, reject) => {
      call.onAbort = reject;
      run(target, method, call, () => handler(request, call)).then(resolve, reject);
    });
  } finally {
    release();
  }
}

/** Runs a handler; the call counts as in progress until the handler finishes, even if its caller cancelled before. */
async function run(target: InProcessService, method: string, call: OpenCall, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw toReceivedError(target.tracker.toFailure(error, call, method));
  } finally {
    call.settle();
    target.endCall(call);
  }
}

/** Iterates over the responses of a handler directly. Throws the error that a remote caller would receive. */
export async function* iterateInProcess(
  target: InProcessService,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): AsyncGenerator<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => AsyncIterable<unknown>;
  const call = target.beginCall(init, deadlineMs);
  const release = forwardAbort(init.signal, call);
  let source: AsyncIterator<unknown> | undefined;
  let exhausted = false;
  try {
    source = handler(request, call)[Symbol.asyncIterator]();
    for (;;) {
      const item = await readNext(source, call);
      exhausted = item.done === true;
      if (exhausted) return;
      yield item.value;
    }
  } catch (error) {
    throw toReceivedError(target.tracker.toFailure(error, call, method));
  } finally {
    release();
    call.onAbort = null;
    if (!exhausted) call.abort(new GatewayError('CANCELLED', 'the caller stopped reading'));
    call.settle();
    void stop(source).finally(() => target.endCall(call));
  }
}

/** Returns the next item; rejects with the reason when the call is aborted first. */
function readNext(source: AsyncIterator<unknown>, call: OpenCall): Promise<IteratorResult<unknown>> {
  return new Promise((resolve, reject) => {
    if (call.abortReason) return reject(call.abortReason);
    call.onAbort = reject;
    source.next().then(resolve, reject);
  });
}

async function stop(source: AsyncIterator<unknown> | undefined): Promise<void> {
  await source?.return?.().catch(() => undefined);
}

/** Aborts a call when its caller's signal aborts. The returned function removes the listener. */
export function forwardAbort(signal: AbortSignal | undefined, call: OpenCall): () => void {
  if (!signal) return () => undefined;
  const abort = () => call.abort(cancelled());
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function cancelled(): GatewayError {
  return new GatewayError('CANCELLED', 'the caller cancelled');
}
