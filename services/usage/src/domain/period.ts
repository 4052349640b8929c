/** The periods a report can cover (spec §2.9). */
export const PERIODS = ['24h', '7d', '30d'] as const;

export type Period = (typeof PERIODS)[number];

/** True for a period of the contract. */
export function isPeriod(value: string): value is Period {
  return (PERIODS as readonly string[]).includes(value);
}

/** The buckets a report adds up. */
export interface Window {
  bucket: 'hour' | 'day';
  /** Start of the first bucket. */
  since: Date;
  /** Buckets that start later are not counted. */
  until: Date;
  /** The UTC days the buckets lie in, `YYYY-MM-DD`, oldest first. */
  days: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The buckets of a period that ends at `now`. `24h` is rolling and made of full hours: it begins with the hour that holds the
 * moment 24 hours ago, so it misses nothing and counts up to 59 minutes more. `7d` and `30d` are UTC days, today included.
 */
export function windowOf(period: Period, now: Date): Window {
  switch (period) {
    case '24h':
      return window('hour', floor(now.getTime() - DAY, HOUR), now);
    case '7d':
      return window('day', floor(now.getTime(), DAY) - 6 * DAY, now);
    case '30d':
      return window('day', floor(now.getTime(), DAY) - 29 * DAY, now);
  }
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function window(bucket: Window['bucket'], since: number, now: Date): Window {
  const days: string[] = [];
  for (let day = floor(since, DAY); day <= now.getTime(); day += DAY) days.push(dayOf(new Date(day)));
  return { bucket, since: new Date(since), until: now, days };
}

/** Unix time has no leap seconds, so UTC hours and days are plain multiples. */
function floor(ms: number, unit: number): number {
  return Math.floor(ms / unit) * unit;
}
