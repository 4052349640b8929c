/** How a turn can stand. */
export const STATUSES = ['streaming', 'completed', 'failed', 'interrupted'] as const;
export type TurnStatus = (typeof STATUSES)[number];

/** Since when turns are listed. */
export const SINCE = ['1h', '24h', '7d', '30d'] as const;
export type Since = (typeof SINCE)[number];

const HOUR_MS = 3_600_000;
const HOURS: Record<Since, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/** The time so long ago. */
export function toSince(since: Since, now: number): string {
  return new Date(now - HOURS[since] * HOUR_MS).toISOString();
}
