/** A period of time. */
export interface TimeRange {
  /** Inclusive. */
  since: Date;
  /** Exclusive. */
  until: Date;
}

/** The lowest UUID, and one above all that have a time. */
export const ID_BOUNDS = { lowest: '00000000-0000-0000-0000-000000000000', highest: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

/** The lowest UUID with this time: UUIDv7 (RFC 9562) begins with 48 bits of milliseconds since 1970. Turns have such ids. */
export function toLowestId(time: Date): string {
  const hex = Math.min(Math.max(0, time.getTime()), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Milliseconds that the first 32 bits of a UUIDv7 count. */
const PERIOD_MS = 65_536;

/**
 * When turns have started whose request id begins with its time: in the period of that time or in the next one, as `is_timed_request_id` in the
 * database has it. Null for an id that cannot begin with a time.
 */
export function toStartOf(requestId: string): TimeRange | null {
  const period = /^[0-9a-f]{8}/.exec(requestId)?.[0];
  if (period === undefined) return null;
  const since = Number.parseInt(period, 16) * PERIOD_MS;
  return { since: new Date(since), until: new Date(since + 2 * PERIOD_MS) };
}
