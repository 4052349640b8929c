import { LiveSpan } from './live-span.ts';
import { OpenTrace, OpenTraces } from './open-traces.ts';
import { NO_SPAN, passOn, type RecordedSpan, type Span, type SpanStart } from './span.ts';
import { isSampled, randomHex, readTraceparent, type TraceParent } from './traceparent.ts';

/** What a tracer keeps. */
export interface TracePolicy {
  /** Part of the traces without a parent and without a sampled link that are kept, from 0 to 1. A trace with a parent follows its flag. */
  ratio: number;
  /** A trace whose first span in this process takes longer is kept, in milliseconds. */
  slowMs: number;
}

/** Takes the spans that are kept. */
export type SpanSink = (span: RecordedSpan) => void;

/** Traces that are open at once in this process; spans of further ones are kept only where they are sampled. */
const MAX_OPEN = 10_000;

/**
 * Makes spans and decides which traces are kept: those that are sampled by their parent's flag or by ratio, and those with an error or a slow first
 * span. The decision falls in each process by itself, when its first span of the trace ends (ADR 0052).
 */
export class Tracer {
  readonly #policy: TracePolicy;
  readonly #sink: SpanSink;
  readonly #open = new OpenTraces();
  readonly #onEnd = (span: LiveSpan) => this.#ended(span);

  constructor(policy: TracePolicy, sink: SpanSink) {
    this.#policy = policy;
    this.#sink = sink;
  }

  start(name: string, start: SpanStart): Span {
    const { parent: given, links } = start;
    const parent = given instanceof LiveSpan ? given : readTraceparent(typeof given === 'string' ? given : given.traceparent);
    const sampled = parent?.sampled ?? (links?.some(isSampled) === true || Math.random() < this.#policy.ratio);
    const span = new LiveSpan(name, start, { traceId: parent?.traceId ?? randomHex(16), parent, sampled }, this.#onEnd);
    if (!sampled) span.trace = this.#traceOf(span, parent);
    return span;
  }

  /** The open trace of a span that is not sampled; undefined where there is no room for it. */
  #traceOf(span: LiveSpan, parent: LiveSpan | TraceParent | undefined): OpenTrace | undefined {
    const joined = parent instanceof LiveSpan ? parent.trace : undefined;
    if (joined && !joined.isOver) return joined;
    // A trace that begins with this span has a new id.
    const known = parent && this.#open.get(span.traceId);
    if (known || this.#open.size >= MAX_OPEN) return known;
    const trace = new OpenTrace(span);
    this.#open.add(trace);
    return trace;
  }

  /** What most traces need is nothing, so that a span is turned into a record only when it is kept. */
  #ended(span: LiveSpan): void {
    if (span.sampled) return this.#sink(span.toRecord());
    const { trace } = span;
    if (!trace || trace.isOver) return;
    if (span.error !== undefined) trace.failed = true;
    if (trace.root !== span) return trace.hold(span);
    trace.isOver = true;
    this.#open.delete(trace);
    if (trace.failed || span.durationMs >= this.#policy.slowMs) {
      for (const kept of trace.waiting()) this.#sink(kept.toRecord());
      this.#sink(span.toRecord());
    }
    trace.drop();
  }
}

let tracer: Tracer | undefined;

/** Sets the tracer of this process; undefined: traces are off, and a `traceparent` that comes is passed on. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether this process records spans; cheap to ask before what a span needs is computed. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts a span. Costs nothing without a tracer. */
export function startSpan(name: string, start: SpanStart): Span {
  if (tracer) return tracer.start(name, start);
  const { parent } = start;
  if (typeof parent !== 'string') return passOn(parent.traceparent);
  return parent === '' ? NO_SPAN : passOn(parent);
}

/** Runs `work` in a span that ends with it; what is thrown ends it with the condition of the error, or its name. */
export async function inSpan<T>(name: string, start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const span = startSpan(name, start);
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end(codeOf(error));
    throw error;
  }
}

function codeOf(error: unknown): string {
  const { condition, name } = error as { condition?: unknown; name?: unknown };
  return typeof condition === 'string' ? condition : typeof name === 'string' ? name : 'error';
}
