import { randomBytes } from 'node:crypto';

/** The content of a `traceparent` header (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the span that is the parent. */
  spanId: string;
  sampled: boolean;
}

const SHAPE = /^(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
/** Characters of version 00, which has no further fields. */
const LENGTH = 55;
const FLAGS_END = LENGTH - 1;

/** Parses a `traceparent`; undefined for an absent or invalid one, which starts a new trace. */
export function parseTraceparent(header: string): TraceParent | undefined {
  if (!SHAPE.test(header) || (header.length !== LENGTH && header.startsWith('00'))) return undefined;
  const traceId = header.slice(3, 35);
  const spanId = header.slice(36, 52);
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, sampled: hasSampledFlag(header) };
}

/** Reads the last bit of the flags: odd digits have odd character codes, odd letters (b, d, f) even ones. */
function hasSampledFlag(header: string): boolean {
  const code = header.charCodeAt(FLAGS_END);
  return ((code > 57 ? code + 1 : code) & 1) === 1;
}

/** Whether a `traceparent` is valid and sampled. Checks the flags first, as most are not sampled. */
export function isSampled(header: string): boolean {
  return hasSampledFlag(header) && parseTraceparent(header) !== undefined;
}

/** Returns the `traceparent` if it is sampled, else an empty text. For rows and events, which outlive the work that created them. */
export function toSampledTraceparent(header: string): string {
  return isSampled(header) ? header : '';
}

/** Formats a `traceparent` header of version 00. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Number of random bytes that are generated at once. */
const POOL_BYTES = 2_048;
let pool = '';
let used = 0;

/** Returns `bytes` random bytes as hexadecimal digits: a slice of a longer string, because creating strings is what costs. */
export function randomHex(bytes: 8 | 16): string {
  const digits = 2 * bytes;
  if (used + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}
