import { GatewayError } from '@parley/protos/errors';
import { LinkedSet } from '../collections/linked-set.ts';
import { type CallInit, OpenCall, parentOf } from './call.ts';
import { serviceClosed, type CallTracker } from './call-tracker.ts';
import { toReceivedError } from './status.ts';

/** The address of a service in this process: its handlers, called directly with the same caller, deadline, abort signal and coded errors. */
export class InProcess {
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly tracker: CallTracker;
  readonly #live = new LinkedSet<OpenCall>();

  constructor(handlers: object, tracker: CallTracker) {
    this.handlers = handlers as Record<string, unknown>;
    this.tracker = tracker;
  }

  /** Counts a call that starts. Throws when the tracker refuses it, and CANCELLED for a caller that has already cancelled. */
  enter(init: CallInit, deadlineMs: number): OpenCall {
    if (init.signal?.aborted) throw cancelled();
    this.tracker.enter();
    const call = new OpenCall(init.caller, deadlineMs, parentOf(init));
    this.#live.add(call);
    return call;
  }

  /** Counts a call whose handler is done. */
  leave(call: OpenCall): void {
    if (this.#live.delete(call)) this.tracker.leave();
  }

  /** Aborts the calls in progress, as the exit of a process does. */
  close(): void {
    this.tracker.close();
    for (const call of this.#live) call.abort(serviceClosed());
  }
}

/** Calls a handler with one response directly. */
export async function callInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): Promise<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => Promise<unknown>;
  const call = target.enter(init, deadlineMs);
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

/** The call counts until the handler is done, even when its caller has cancelled before. */
async function run(target: InProcess, method: string, call: OpenCall, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw toReceivedError(target.tracker.toFailure(error, call, method));
  } finally {
    call.settle();
    target.leave(call);
  }
}

/** Iterates a handler with a stream of responses directly. */
export async function* iterateInProcess(
  target: InProcess,
  method: string,
  request: unknown,
  init: CallInit,
  deadlineMs: number,
): AsyncGenerator<unknown> {
  const handler = target.handlers[method] as (request: unknown, call: OpenCall) => AsyncIterable<unknown>;
  const call = target.enter(init, deadlineMs);
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
    void stop(source).finally(() => target.leave(call));
  }
}

/** The next item, or the reason of the abort, whichever comes first. */
function readNext(source: AsyncIterator<unknown>, call: OpenCall): Promise<IteratorResult<unknown>> {
  return new Promise((resolve, reject) => {
    if (call.abandoned) return reject(call.abandoned);
    call.onAbort = reject;
    source.next().then(resolve, reject);
  });
}

async function stop(source: AsyncIterator<unknown> | undefined): Promise<void> {
  await source?.return?.().catch(() => undefined);
}

/** Aborts a call when its caller's signal aborts. The returned function ends the subscription. */
export function forwardAbort(signal: AbortSignal | undefined, call: OpenCall): () => void {
  if (!signal) return () => undefined;
  const abort = () => call.abort(cancelled());
  signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function cancelled(): GatewayError {
  return new GatewayError('CANCELLED', 'the caller cancelled');
}
