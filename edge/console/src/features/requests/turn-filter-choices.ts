/** The statuses of a turn. */
export const TURN_STATUSES = ['streaming', 'completed', 'failed', 'interrupted'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** The periods of a list of turns, which end now. */
export const SINCE_CHOICES = ['1h', '24h', '7d', '30d'] as const;
export type SinceChoice = (typeof SINCE_CHOICES)[number];

const HOUR_MS = 3_600_000;
const HOURS: Record<SinceChoice, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/** Returns the time at which a period begins. */
export function toSinceTime(since: SinceChoice, now: number): string {
  return new Date(now - HOURS[since] * HOUR_MS).toISOString();
}
