import { LiveSpan } from './live-span.ts';
import { OpenTrace, OpenTraces } from './open-traces.ts';
import { NOOP_SPAN, toPassthroughSpan, type RecordedSpan, type Span, type SpanOptions } from './span.ts';
import { isSampled, randomHex, parseTraceparent, type TraceParent } from './traceparent.ts';

/** Which traces a tracer keeps. */
export interface SamplingPolicy {
  /**
   * Fraction, from 0 to 1, of the traces without a parent and without a sampled link that are kept. A trace with a parent follows its
   * parent's flag.
   */
  ratio: number;
  /** A trace is kept if its first span in this process takes at least this long, in milliseconds. */
  slowMs: number;
}

/** Receives the spans that are kept. */
export type SpanSink = (span: RecordedSpan) => void;

/** Maximum number of open traces in this process; spans of further traces are kept only if they are sampled. */
const MAX_OPEN = 10_000;

/**
 * Creates spans and decides which traces are kept: those that are sampled by their parent's flag or by ratio, and those with an error or a
 * slow first span. Each process decides by itself, when its first span of the trace ends (ADR 0052).
 */
export class Tracer {
  readonly #policy: SamplingPolicy;
  readonly #sink: SpanSink;
  readonly #open = new OpenTraces();
  readonly #onEnd = (span: LiveSpan) => this.#ended(span);

  constructor(policy: SamplingPolicy, sink: SpanSink) {
    this.#policy = policy;
    this.#sink = sink;
  }

  start(name: string, start: SpanOptions): Span {
    const { parent: given, links } = start;
    const parent = given instanceof LiveSpan ? given : parseTraceparent(typeof given === 'string' ? given : given.traceparent);
    const sampled = parent?.sampled ?? (links?.some(isSampled) === true || Math.random() < this.#policy.ratio);
    const span = new LiveSpan(name, start, { traceId: parent?.traceId ?? randomHex(16), parent, sampled }, this.#onEnd);
    if (!sampled) span.trace = this.#traceOf(span, parent);
    return span;
  }

  /** Returns the open trace of a span that is not sampled; undefined when too many are open. */
  #traceOf(span: LiveSpan, parent: LiveSpan | TraceParent | undefined): OpenTrace | undefined {
    const joined = parent instanceof LiveSpan ? parent.trace : undefined;
    if (joined && !joined.isDecided) return joined;
    // A trace that begins with this span has a new id.
    const known = parent && this.#open.get(span.traceId);
    if (known || this.#open.size >= MAX_OPEN) return known;
    const trace = new OpenTrace(span);
    this.#open.add(trace);
    return trace;
  }

  /** Exports, keeps or drops a span that has ended. Most traces are dropped, so a span is converted to a record only when it is kept. */
  #ended(span: LiveSpan): void {
    if (span.sampled) return this.#sink(span.toRecord());
    const { trace } = span;
    if (!trace || trace.isDecided) return;
    if (span.error !== undefined) trace.failed = true;
    if (trace.root !== span) return trace.hold(span);
    trace.isDecided = true;
    this.#open.delete(trace);
    if (trace.failed || span.durationMs >= this.#policy.slowMs) {
      for (const kept of trace.listWaitingSpans()) this.#sink(kept.toRecord());
      this.#sink(span.toRecord());
    }
    trace.drop();
  }
}

let tracer: Tracer | undefined;

/** Sets the tracer of this process; with undefined, traces are off and an incoming `traceparent` is passed on. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Whether this process records spans; cheap to check before the data of a span is computed. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts a span, which the caller must end. Costs nothing without a tracer. */
export function startSpan(name: string, start: SpanOptions): Span {
  if (tracer) return tracer.start(name, start);
  const { parent } = start;
  if (typeof parent !== 'string') return toPassthroughSpan(parent.traceparent);
  return parent === '' ? NOOP_SPAN : toPassthroughSpan(parent);
}

/** Runs `work` in a span and returns its result; an error ends the span with the error's condition or name, and is rethrown. */
export async function runInSpan<T>(name: string, start: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
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
