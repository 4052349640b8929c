import { randomBytes } from 'node:crypto';

/** What a `traceparent` header says (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
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

/** Reads a `traceparent`; undefined for one that is absent or invalid, which starts a new trace. */
export function readTraceparent(header: string): TraceParent | undefined {
  if (!SHAPE.test(header) || (header.length !== LENGTH && header.startsWith('00'))) return undefined;
  const traceId = header.slice(3, 35);
  const spanId = header.slice(36, 52);
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined;
  return { traceId, spanId, sampled: hasSampledFlag(header) };
}

/** The last bit of the flags: odd digits have odd codes, odd letters (b, d, f) even ones. */
function hasSampledFlag(header: string): boolean {
  const code = header.charCodeAt(FLAGS_END);
  return ((code > 57 ? code + 1 : code) & 1) === 1;
}

/** Whether a `traceparent` is that of a sampled trace. Most are not, which their flags tell alone. */
export function isSampled(header: string): boolean {
  return hasSampledFlag(header) && readTraceparent(header) !== undefined;
}

/** The `traceparent` of a trace that is sampled; empty for any other. For rows and events, which outlive the work that they are about. */
export function sampledOnly(header: string): string {
  return isSampled(header) ? header : '';
}

/** Writes a `traceparent`. */
export function writeTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Random bytes that are made at once. */
const POOL_BYTES = 2_048;
let pool = '';
let used = 0;

/** `bytes` random bytes as hexadecimal digits: a part of a longer string, because it is the making of strings that costs. */
export function randomHex(bytes: 8 | 16): string {
  const digits = 2 * bytes;
  if (used + digits > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}
