import { GatewayError } from '@parley/protos/errors';
import { Linked } from '../collections/linked-set.ts';
import { type Caller } from '@parley/protos/common/v1/caller';

export { type Caller } from '@parley/protos/common/v1/caller';

/** The call that a handler answers. */
export interface Call {
  caller: Caller;
  traceparent: string;
  /** Milliseconds until the caller stops waiting. */
  timeLeft(): number;
  /** Why the call was aborted, if it was; cheaper to read than the signal. */
  readonly abandoned: GatewayError | undefined;
  /** Aborts when the caller cancels or its deadline passes. Pass it to every downstream call. */
  readonly signal: AbortSignal;
}

/** Options of every call. */
export interface CallInit {
  caller: Caller;
  signal?: AbortSignal;
  /** How long the answer may take, in milliseconds. @default the connection's */
  deadlineMs?: number;
  traceparent?: string;
  /** Calls with the same affinity go to the same of several addresses, as long as it answers. */
  affinity?: string;
}

/** The caller of work that a service does for itself, such as heartbeats and sweeps. */
export const SYSTEM_CALLER: Caller = { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: '' };

/** The init of a call made on behalf of another: same caller and trace, with at most the remaining time. */
export function onBehalfOf(call: Call, deadlineMs = Number.POSITIVE_INFINITY): CallInit {
  return { caller: call.caller, traceparent: call.traceparent, signal: call.signal, deadlineMs: Math.min(deadlineMs, call.timeLeft()) };
}

/** The call with the trace context of a span in it, for what the handler calls on its behalf. */
export function withTrace(call: Call, traceparent: string): Call {
  if (traceparent === call.traceparent) return call;
  return {
    caller: call.caller,
    traceparent,
    timeLeft: () => call.timeLeft(),
    get abandoned() {
      return call.abandoned;
    },
    get signal() {
      return call.signal;
    },
  };
}

/** A call in progress; creates its AbortController only when the signal is read. */
export class OpenCall extends Linked implements Call {
  readonly caller: Caller;
  readonly traceparent: string;
  /** Called once when the call is aborted, with the reason. */
  onAbort: ((reason: GatewayError) => void) | null = null;
  readonly #expires: number;
  readonly #timer: NodeJS.Timeout;
  #abort: AbortController | undefined;
  #reason: GatewayError | undefined;

  constructor(caller: Caller, deadlineMs: number, traceparent = '') {
    super();
    this.caller = caller;
    this.traceparent = traceparent;
    this.#expires = performance.now() + deadlineMs;
    this.#timer = setTimeout(() => this.abort(new GatewayError('TIMEOUT', 'the deadline passed')), deadlineMs);
    this.#timer.unref();
  }

  get abandoned(): GatewayError | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason && !this.#abort.signal.aborted) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  timeLeft(): number {
    return Math.max(0, this.#expires - performance.now());
  }

  /** Aborts the call; later reasons are ignored. */
  abort(reason: GatewayError): void {
    if (this.#reason) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    this.onAbort?.(reason);
    this.#abort?.abort(reason);
  }

  /** Ends the call: nothing aborts it any more. */
  settle(): void {
    clearTimeout(this.#timer);
    this.onAbort = null;
  }
}
