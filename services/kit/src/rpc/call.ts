import { type Caller } from '@parley/protos/common/v1/caller';
import { GatewayError } from '@parley/protos/errors';
import { LinkedSetMember } from '../collections/linked-set.ts';
import { type Span } from '../telemetry/span.ts';

export { type Caller } from '@parley/protos/common/v1/caller';

/** A call as its handler sees it: who calls, how much time is left, and whether it was aborted. */
export interface Call {
  caller: Caller;
  /** The parent of this call's spans: the caller's Span when the caller runs in this process (cheaper), else its `traceparent`. */
  readonly parent: string | Span;
  readonly traceparent: string;
  /** Milliseconds until the call's deadline, at least 0. */
  timeLeft(): number;
  /** The reason for which the call was aborted; undefined while it is not. Cheaper to read than the signal. */
  readonly abortReason: GatewayError | undefined;
  /** Aborts when the caller cancels or its deadline passes. Pass it to every downstream call. */
  readonly signal: AbortSignal;
}

/** Who makes a call, for how long, and in which trace. */
export interface CallInit {
  caller: Caller;
  signal?: AbortSignal;
  /** How long the call may take, in milliseconds. @default 5_000 */
  deadlineMs?: number;
  /** The span in which the call is made. A service in this process receives the span itself, another process its `traceparent`. */
  span?: Span;
  /** The `traceparent` of the call when no `span` is given. */
  traceparent?: string;
  /** Calls with the same affinity are sent to the same target of several, as long as it is available. */
  affinity?: string;
  /**
   * Whether the call may be carried out twice. When its connection breaks, a repeatable call is sent to another target with a new deadline.
   * A call for which the caller sets this is also repeated after a timeout; the first attempt of a read waits at least until a frozen peer
   * is detected.
   * @default true for methods whose names mark them as reads, else false
   */
  repeatable?: boolean;
}

/** The caller of work that a service does for itself, such as heartbeats and sweeps. */
export const SYSTEM_CALLER: Caller = { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: '' };

/** Returns the parent for the spans of the service that is called; empty without a trace. */
export function toSpanParent({ span, traceparent = '' }: CallInit): string | Span {
  return span ?? traceparent;
}

/** Returns a parent as a `traceparent`, which other processes can read. */
export function toTraceparent(parent: string | Span): string {
  return typeof parent === 'string' ? parent : parent.traceparent;
}

/** Returns the init of a call that a handler makes: same caller, trace and signal, and at most the remaining time or `deadlineMs`. */
export function toDownstreamInit(call: Call, deadlineMs = Number.POSITIVE_INFINITY): CallInit {
  const { caller, parent, signal } = call;
  const trace = typeof parent === 'string' ? { traceparent: parent } : { span: parent };
  return { caller, ...trace, signal, deadlineMs: Math.min(deadlineMs, call.timeLeft()) };
}

/** Returns the same call with `span` as its parent, for calls that the handler makes in that span. */
export function withParentSpan(call: Call, span: Span): Call {
  return {
    caller: call.caller,
    parent: span,
    get traceparent() {
      return span.traceparent;
    },
    timeLeft: () => call.timeLeft(),
    get abortReason() {
      return call.abortReason;
    },
    get signal() {
      return call.signal;
    },
  };
}

/** A call in progress; creates its AbortController only when the signal is read. */
export class OpenCall extends LinkedSetMember implements Call {
  readonly caller: Caller;
  readonly parent: string | Span;
  /** Called once when the call is aborted, with the reason. */
  onAbort: ((reason: GatewayError) => void) | null = null;
  readonly #expires: number;
  readonly #timer: NodeJS.Timeout;
  #abort: AbortController | undefined;
  #reason: GatewayError | undefined;

  constructor(caller: Caller, deadlineMs: number, parent: string | Span = '') {
    super();
    this.caller = caller;
    this.parent = parent;
    this.#expires = performance.now() + deadlineMs;
    this.#timer = setTimeout(() => this.abort(new GatewayError('TIMEOUT', 'the deadline passed')), deadlineMs);
    this.#timer.unref();
  }

  get traceparent(): string {
    return toTraceparent(this.parent);
  }

  get abortReason(): GatewayError | undefined {
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
