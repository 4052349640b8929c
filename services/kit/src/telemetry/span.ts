import { type Attributes, type Link, SpanKind } from '@opentelemetry/api';

export { type Attributes, SpanKind } from '@opentelemetry/api';

/** Attributes, or a function that returns them; the function is called only when the span is kept, after its end. */
export type LazyAttributes = Attributes | (() => Attributes);

/** Parent, kind and attributes of a span; attributes follow the semantic conventions of OpenTelemetry. */
export interface SpanOptions {
  /**
   * The parent: a span of this process if the caller has one (cheaper), or the `traceparent` of the request, the call or the message; empty
   * for a new trace, which is sampled if a link is.
   */
  parent: string | Span;
  /** @default INTERNAL */
  kind?: SpanKind;
  attributes?: Attributes;
  /** Spans that led to this one without being its parent, as `traceparent`: the events of a batch. */
  links?: readonly string[];
  /** `performance.now()` of the start. @default now */
  startedAt?: number;
}

/** A unit of work in a trace. */
export interface Span {
  /** The `traceparent` to send with RPCs, upstream requests and messages of this work. Without a tracer it is the parent's, unchanged. */
  readonly traceparent: string;
  /** 32 hexadecimal digits; empty without a trace. */
  readonly traceId: string;
  /** Whether the span is certainly kept; cheap to check before attributes are computed. */
  readonly sampled: boolean;
  setAttributes(details: LazyAttributes): void;
  /** Adds an event at the current time, such as the first token. */
  addEvent(name: string, attributes?: Attributes): void;
  /** Ends the span; `error` is the code of a failure. Further calls do nothing. */
  end(error?: string): void;
}

/** The data of a span, which may still be running. Times are those of `performance.now()`. */
export interface RecordedSpan {
  name: string;
  kind: SpanKind;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  events: { name: string; at: number; attributes: Attributes | undefined }[];
  links: Link[];
  error: string | undefined;
}

/** The span without a tracer and without a parent; does nothing. */
export const NOOP_SPAN: Span = toPassthroughSpan('');

/** Returns a span that records nothing and passes on the `traceparent` of its parent. */
export function toPassthroughSpan(traceparent: string): Span {
  return { traceparent, traceId: traceparent.slice(3, 35), sampled: false, setAttributes: ignore, addEvent: ignore, end: ignore };
}

function ignore(): void {
  return;
}

/** Returns the kind of a span; INTERNAL by default. */
export function toSpanKind({ kind = SpanKind.INTERNAL }: SpanOptions): SpanKind {
  return kind;
}
