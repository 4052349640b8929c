import { randomFillSync } from 'node:crypto';

/** One hop's place in a distributed trace (W3C Trace Context). Ids are lower-case hex. */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits; the span of this hop. */
  spanId: string;
  sampled: boolean;
}

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/** Reads a `traceparent` header; undefined when absent or not valid, so that the caller starts a trace of its own. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = HEADER.exec(header?.trim() ?? '') ?? [];
  if (!traceId || !spanId || !flags || version === 'ff' || (version === '00' && rest)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` header of a context. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A trace that begins here. */
export function newTrace(sampled = false): TraceContext {
  return { traceId: randomHex(16), spanId: randomHex(8), sampled };
}

/** The next hop of a trace: same trace, a span of its own. */
export function childOf({ traceId, sampled }: TraceContext): TraceContext {
  return { traceId, spanId: randomHex(8), sampled };
}

/** The trace a request belongs to as seen here: the next hop of its header's, or a new one. */
export function continueTrace(header: string | undefined): TraceContext {
  const parent = parseTraceparent(header);
  return parent ? childOf(parent) : newTrace();
}

const POOL = Buffer.allocUnsafe(4_096);
let used = POOL.length;

/** Takes random bytes from a pool: one system call for 256 spans. */
function randomHex(bytes: 8 | 16): string {
  if (used + bytes > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const hex = POOL.toString('hex', used, used + bytes);
  used += bytes;
  return ZEROS.test(hex) ? randomHex(bytes) : hex;
}
