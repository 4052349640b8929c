import { type RecordedSpan } from './span.ts';

/** Maximum number of waiting spans of one trace. */
const MAX_SPANS = 200;
/** Number of buckets of the table of open traces; a power of two. */
const BUCKETS = 1_024;
/** Offset of the random part of a trace id; some generators fill the left half with zeros. */
const RANDOM_FROM = 16;
/** Random seed of the hash: ids come from clients, who must not be able to choose the bucket. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** A span that can wait for the decision on its trace. */
export interface WaitingSpan {
  readonly traceId: string;
  /** The span of the same trace that ended before this one. */
  before: WaitingSpan | undefined;
  toRecord(): RecordedSpan;
  /** Drops what was recorded, as the span is not kept. */
  discard(): void;
}

/**
 * The spans of one trace that wait for the decision whether to keep it, which is made when the first span of the trace in this process
 * ends.
 */
export class OpenTrace {
  readonly root: WaitingSpan;
  /** A span has ended with an error. */
  failed = false;
  /** Whether the decision was made. */
  isDecided = false;
  /** The next trace in the same bucket. */
  next: OpenTrace | undefined = undefined;
  /** The span that ended last; each refers to the one before. */
  #last: WaitingSpan | undefined = undefined;
  #waiting = 0;

  constructor(root: WaitingSpan) {
    this.root = root;
  }

  /** Keeps a span that has ended until the decision; drops it when there are too many. */
  hold(span: WaitingSpan): void {
    if (this.#waiting === MAX_SPANS) return;
    span.before = this.#last;
    this.#last = span;
    this.#waiting++;
  }

  /** Returns the waiting spans in the order in which they ended. */
  listWaitingSpans(): WaitingSpan[] {
    const spans: WaitingSpan[] = [];
    for (let span = this.#last; span; span = span.before) spans.push(span);
    return spans.reverse();
  }

  /**
   * Releases everything that was kept for the decision: a root in the old generation is collected late, and until then the garbage
   * collector would promote everything that it references.
   */
  drop(): void {
    for (let span = this.#last; span;) {
      const { before } = span;
      span.discard();
      span = before;
    }
    this.#last = undefined;
    this.root.discard();
  }
}

/**
 * The open traces by id, in a hash table of linked entries: a `Map` keeps its former entries alive until the next full collection (see
 * `LinkedSet`), and a plain object keeps the ids, since a key becomes a string of the old generation.
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

  /** Adds a trace; its id must not be in the table yet. */
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
