/** The periods of a report (`period` of `GET /v1/usage`). */
export const PERIODS = ['24h', '7d', '30d'] as const;

export type Period = (typeof PERIODS)[number];

/** Whether a text is the name of a period. */
export function isPeriod(value: string): value is Period {
  return (PERIODS as readonly string[]).includes(value);
}

/** The buckets that a report covers. */
export interface ReportWindow {
  bucket: 'hour' | 'day';
  /** Start of the first bucket. */
  since: Date;
  /** Latest start of a bucket, inclusive. */
  until: Date;
  /** The UTC days of the buckets, `YYYY-MM-DD`, oldest first. */
  days: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns the buckets of a period that ends at `now`. `24h` is rolling and consists of full hours: it starts with the hour 24 hours ago, so
 * it covers up to 59 minutes more. `7d` and `30d` are UTC days, including today.
 */
export function toReportWindow(period: Period, now: Date): ReportWindow {
  switch (period) {
    case '24h':
      return window('hour', floor(now.getTime() - DAY, HOUR), now);
    case '7d':
      return window('day', floor(now.getTime(), DAY) - 6 * DAY, now);
    case '30d':
      return window('day', floor(now.getTime(), DAY) - 29 * DAY, now);
  }
}

/** Maximum number of days of a chosen range, which is how long daily sums are kept. */
export const MAX_RANGE_DAYS = 400;

/**
 * Returns the daily buckets from one UTC day to another (`YYYY-MM-DD`), both included; undefined for invalid days, days in the wrong order,
 * and more than MAX_RANGE_DAYS.
 */
export function toDayRangeWindow(since: string, until: string): ReportWindow | undefined {
  const [from, to] = [dayOf(since), dayOf(until)];
  const isRange = from !== undefined && to !== undefined && from <= to && (to - from) / DAY < MAX_RANGE_DAYS;
  return isRange ? window('day', from, new Date(to + DAY - 1)) : undefined;
}

function dayOf(day: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // `Date.parse` converts a day such as February 30 to another one.
  return Number.isNaN(ms) || toUtcDay(new Date(ms)) !== day ? undefined : ms;
}

/** Converts a time to its UTC day, `YYYY-MM-DD`. */
export function toUtcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function window(bucket: ReportWindow['bucket'], since: number, now: Date): ReportWindow {
  const days: string[] = [];
  for (let day = floor(since, DAY); day <= now.getTime(); day += DAY) days.push(toUtcDay(new Date(day)));
  return { bucket, since: new Date(since), until: now, days };
}

/** Rounds down to a multiple of `unit`. Unix time has no leap seconds, so UTC hours and days are multiples. */
function floor(ms: number, unit: number): number {
  return Math.floor(ms / unit) * unit;
}
