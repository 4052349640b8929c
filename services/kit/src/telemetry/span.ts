import { type Attributes, type Link, SpanKind } from '@opentelemetry/api';

export { type Attributes, SpanKind } from '@opentelemetry/api';

/** Attributes, or what makes them: a function is called only when the span is kept, after its end. */
export type Details = Attributes | (() => Attributes);

/** Where a span belongs and what it is; attributes follow the semantic conventions of OpenTelemetry. */
export interface SpanStart {
  /**
   * The parent: a span of this process where the caller has it, which costs less, or its `traceparent` as it came with the request, the call or the
   * message; empty for a new trace, which is sampled if a link is.
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
  /** For what this work calls: RPCs, upstreams, messages. Without a tracer it is the parent's, unchanged. */
  readonly traceparent: string;
  /** 32 hexadecimal digits; empty without a trace. */
  readonly traceId: string;
  /** The span is kept for sure; cheap to ask before attributes are computed. */
  readonly sampled: boolean;
  set(details: Details): void;
  /** Marks a moment, such as the first token. */
  mark(name: string, attributes?: Attributes): void;
  /** Ends the span; `error` is the code of a failure. Further calls do nothing. */
  end(error?: string): void;
}

/** A span that has ended, or is under way. Times are those of `performance.now()`. */
export interface RecordedSpan {
  name: string;
  kind: SpanKind;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  marks: { name: string; at: number; attributes: Attributes | undefined }[];
  links: Link[];
  error: string | undefined;
}

/** The span where there is no tracer and no parent. */
export const NO_SPAN: Span = passOn('');

/** A span that passes its parent on and records nothing. */
export function passOn(traceparent: string): Span {
  return { traceparent, traceId: traceparent.slice(3, 35), sampled: false, set: ignore, mark: ignore, end: ignore };
}

function ignore(): void {
  return;
}

/** The kind of a span, with its default. */
export function kindOf({ kind = SpanKind.INTERNAL }: SpanStart): SpanKind {
  return kind;
}
