/** A period of time. */
export interface TimeRange {
  /** Inclusive. */
  since: Date;
  /** Exclusive. */
  until: Date;
}

/** The lowest UUID, and one above all UUIDs with a time. */
export const UUID_BOUNDS = { lowest: '00000000-0000-0000-0000-000000000000', highest: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

/** Returns the lowest UUID with this time; turn ids are UUIDv7 (RFC 9562), which begin with 48 bits of milliseconds since 1970. */
export function toLowestUuid(time: Date): string {
  const hex = Math.min(Math.max(0, time.getTime()), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Milliseconds per unit of the first 32 bits of a UUIDv7. */
const PERIOD_MS = 65_536;

/**
 * Returns the period in which the turns of a request id that begins with its time have started: two units from that time, as in the
 * database function `is_timed_request_id`. Null for an id that does not begin with 8 hex digits.
 */
export function toTurnStartRange(requestId: string): TimeRange | null {
  const period = /^[0-9a-f]{8}/.exec(requestId)?.[0];
  if (period === undefined) return null;
  const since = Number.parseInt(period, 16) * PERIOD_MS;
  return { since: new Date(since), until: new Date(since + 2 * PERIOD_MS) };
}
