import { type RecordedSpan } from './span.ts';

/** Spans of one trace that wait for its end. */
const MAX_SPANS = 200;
/** A power of two. */
const BUCKETS = 1_024;
/** Where the random part of an id is at least; some makers of ids fill the left half with zeros. */
const RANDOM_FROM = 16;
/** Ids come from clients, who must not choose the bucket. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** A span that may wait. */
export interface WaitingSpan {
  readonly traceId: string;
  /** The one that ended before it in its trace. */
  before: WaitingSpan | undefined;
  toRecord(): RecordedSpan;
  /** It is not kept. */
  forget(): void;
}

/** The spans of one trace that wait for its decision, which falls when the first span of the trace in this process ends. */
export class OpenTrace {
  readonly root: WaitingSpan;
  /** A span has ended with an error. */
  failed = false;
  /** The decision has fallen. */
  isOver = false;
  /** The others of its bucket. */
  next: OpenTrace | undefined = undefined;
  /** The span that ended last; each has the one before. */
  #last: WaitingSpan | undefined = undefined;
  #waiting = 0;

  constructor(root: WaitingSpan) {
    this.root = root;
  }

  /** Takes a span that has ended; what exceeds the bound is dropped. */
  hold(span: WaitingSpan): void {
    if (this.#waiting === MAX_SPANS) return;
    span.before = this.#last;
    this.#last = span;
    this.#waiting++;
  }

  /** The spans that wait, in the order of their ends. */
  waiting(): WaitingSpan[] {
    const spans: WaitingSpan[] = [];
    for (let span = this.#last; span; span = span.before) spans.push(span);
    return spans.reverse();
  }

  /**
   * Lets go of what was kept for the decision: a root in the old generation is collected late, and until then the garbage collector would make old
   * all that it points to.
   */
  drop(): void {
    for (let span = this.#last; span;) {
      const { before } = span;
      span.forget();
      span = before;
    }
    this.#last = undefined;
    this.root.forget();
  }
}

/**
 * The open traces by id. The entries are linked to each other: a `Map` keeps its former entries alive until the next full collection (`LinkedSet`),
 * and a plain object the ids, since a key becomes a string of the old generation.
 */
export class OpenTraces {
  readonly #buckets = new Array<OpenTrace | undefined>(BUCKETS).fill(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(traceId: string): OpenTrace | undefined {
    let trace = this.#buckets[bucketOf(traceId)];
    while (trace && trace.root.traceId !== traceId) trace = trace.next;
    return trace;
  }

  /** Adds a trace whose id is not there yet. */
  add(trace: OpenTrace): void {
    const bucket = bucketOf(trace.root.traceId);
    trace.next = this.#buckets[bucket];
    this.#buckets[bucket] = trace;
    this.#size++;
  }

  /** Removes a trace that was added. */
  delete(trace: OpenTrace): void {
    const bucket = bucketOf(trace.root.traceId);
    const first = this.#buckets[bucket];
    if (first === trace) this.#buckets[bucket] = trace.next;
    else {
      let before = first;
      while (before && before.next !== trace) before = before.next;
      if (!before) return;
      before.next = trace.next;
    }
    trace.next = undefined;
    this.#size--;
  }
}

function bucketOf(traceId: string): number {
  let hash = SEED;
  for (let at = RANDOM_FROM; at < traceId.length; at++) hash = Math.imul(hash ^ traceId.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
}
