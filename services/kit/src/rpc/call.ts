import { GatewayError } from '@parley/protos/errors';
import { Linked } from '../collections/linked-set.ts';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type Span } from '../telemetry/span.ts';

export { type Caller } from '@parley/protos/common/v1/caller';

/** The call that a handler answers. */
export interface Call {
  caller: Caller;
  /** The parent of the spans of this call: the caller's span where that is in this process, which costs less, else its `traceparent`. */
  readonly parent: string | Span;
  readonly traceparent: string;
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
  /** The span that makes the call. A service in this process gets it as it is, another one its `traceparent`. */
  span?: Span;
  /** The trace of the call, where its span is not at hand. */
  traceparent?: string;
  /** Calls with the same affinity go to the same of several addresses, as long as it answers. */
  affinity?: string;
  /**
   * The call may be carried out twice. When its connection breaks, it goes to another address, where it has its deadline again. A call that says so
   * itself goes there also when its time is up; a read waits until a frozen peer is noticed, if that takes longer than its deadline.
   * @default true for reads by their name, else false
   */
  repeatable?: boolean;
}

/** The caller of work that a service does for itself, such as heartbeats and sweeps. */
export const SYSTEM_CALLER: Caller = { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: '' };

/** What the spans of a call get as their parent in the service that is called; empty without a trace. */
export function parentOf({ span, traceparent = '' }: CallInit): string | Span {
  return span ?? traceparent;
}

/** The text of a parent, for another process. */
export function textOf(parent: string | Span): string {
  return typeof parent === 'string' ? parent : parent.traceparent;
}

/** The init of a call made on behalf of another: same caller and trace, with at most the remaining time. */
export function onBehalfOf(call: Call, deadlineMs = Number.POSITIVE_INFINITY): CallInit {
  const { caller, parent, signal } = call;
  const trace = typeof parent === 'string' ? { traceparent: parent } : { span: parent };
  return { caller, ...trace, signal, deadlineMs: Math.min(deadlineMs, call.timeLeft()) };
}

/** The call with a span of it as the parent, for what the handler calls in that span. */
export function withSpan(call: Call, span: Span): Call {
  return {
    caller: call.caller,
    parent: span,
    get traceparent() {
      return span.traceparent;
    },
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
    return textOf(this.parent);
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
