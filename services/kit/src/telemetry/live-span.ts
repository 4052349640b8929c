import { type Attributes, TraceFlags } from '@opentelemetry/api';
import { type OpenTrace, type WaitingSpan } from './open-traces.ts';
import { type LazyAttributes, toSpanKind, type RecordedSpan, type Span, type SpanOptions } from './span.ts';
import { randomHex, parseTraceparent, type TraceParent, formatTraceparent } from './traceparent.ts';

/** A linked list of the attributes that were set, the latest first. */
interface Setting {
  details: LazyAttributes;
  before: Setting | undefined;
}

/** The trace and the parent of a span. */
export interface SpanPlacement {
  traceId: string;
  parent: LiveSpan | TraceParent | undefined;
  sampled: boolean;
}

/** A span of this process. Most spans are never kept: what only a record needs, such as ids and attributes, is computed with the record. */
export class LiveSpan implements Span, WaitingSpan {
  readonly traceId: string;
  readonly sampled: boolean;
  /** The open trace in which it waits for the decision; undefined when it is sampled, and when it cannot wait. */
  trace: OpenTrace | undefined = undefined;
  before: WaitingSpan | undefined = undefined;
  readonly #onEnd: (span: LiveSpan) => void;
  readonly #name: string;
  readonly #start: SpanOptions;
  readonly #parent: LiveSpan | TraceParent | undefined;
  readonly #startedAt: number;
  #spanId: string | undefined = undefined;
  #traceparent: string | undefined = undefined;
  #settings: Setting | undefined = undefined;
  #marks: RecordedSpan['events'] | undefined = undefined;
  #endedAt: number | undefined = undefined;
  #error: string | undefined = undefined;

  constructor(name: string, start: SpanOptions, { traceId, parent, sampled }: SpanPlacement, onEnd: (span: LiveSpan) => void) {
    this.traceId = traceId;
    this.sampled = sampled;
    this.#onEnd = onEnd;
    this.#name = name;
    this.#start = start;
    this.#parent = parent;
    this.#startedAt = start.startedAt ?? performance.now();
  }

  get spanId(): string {
    return (this.#spanId ??= randomHex(8));
  }

  get traceparent(): string {
    return (this.#traceparent ??= formatTraceparent(this));
  }

  setAttributes(details: LazyAttributes): void {
    this.#settings = { details, before: this.#settings };
  }

  addEvent(name: string, attributes?: Attributes): void {
    (this.#marks ??= []).push({ name, at: performance.now(), attributes });
  }

  end(error?: string): void {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = performance.now();
    this.#error = error;
    this.#onEnd(this);
  }

  /** The error code with which the span ended; undefined without an error. */
  get error(): string | undefined {
    return this.#error;
  }

  /** Duration in milliseconds; until now while the span has not ended. */
  get durationMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  discard(): void {
    this.before = undefined;
    this.#settings = undefined;
    this.#marks = undefined;
  }

  toRecord(): RecordedSpan {
    return {
      name: this.#name,
      kind: toSpanKind(this.#start),
      traceId: this.traceId,
      spanId: this.spanId,
      parentSpanId: this.#parent?.spanId,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt ?? performance.now(),
      attributes: { ...this.#start.attributes, ...merged(this.#settings) },
      events: this.#marks ?? [],
      links: toLinks(this.#start.links),
      error: this.#error,
    };
  }
}

function merged(setting: Setting | undefined): Attributes {
  if (!setting) return {};
  const { details, before } = setting;
  return { ...merged(before), ...(typeof details === 'function' ? details() : details) };
}

function toLinks(links: readonly string[] = []): RecordedSpan['links'] {
  return links.flatMap((link) => {
    const context = parseTraceparent(link);
    if (!context) return [];
    const { traceId, spanId, sampled } = context;
    return [{ context: { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true } }];
  });
}
