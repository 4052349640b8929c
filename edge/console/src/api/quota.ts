/** Units in which the window of a quota is written. */
export const QUOTA_UNITS = ['second', 'minute', 'hour', 'day'] as const;
type Unit = (typeof QUOTA_UNITS)[number];

/** A bound of requests, tokens or seconds of audio within a window. */
export interface Quota {
  limit: number;
  /** Length of the window, in units. */
  periods: number;
  unit: Unit;
}

/** Periods of the usage report. */
export type ReportPeriod = '24h' | '7d' | '30d';

const SECONDS: Record<Unit, number> = { second: 1, minute: 60, hour: 3600, day: 86_400 };
const PERIODS: Readonly<Record<number, ReportPeriod>> = { 86_400: '24h', 604_800: '7d', 2_592_000: '30d' };
const WRITTEN = /^(\d+) per (?:(\d+) )?(second|minute|hour|day)s?$/;

/** What a quota such as `10000 per 1 day` says; undefined for `unlimited` and for the default of the gateway. */
export function parseQuota(text: string | null): Quota | undefined {
  const [, limit, periods = '1', unit] = WRITTEN.exec(text ?? '') ?? [];
  return unit === undefined ? undefined : { limit: Number(limit), periods: Number(periods), unit: unit as Unit };
}

/** The text that the gateway takes for a quota. */
export function writeQuota({ limit, periods, unit }: Quota): string {
  return `${limit} per ${periods} ${unit}${periods === 1 ? '' : 's'}`;
}

/**
 * The usage report that has at least what was used in the running window of a quota, and nothing of much before. Undefined for windows that no report
 * fits. Windows begin at multiples of their length, reports go back from now: what a report says is never too little.
 */
export function reportOf({ periods, unit }: Quota): ReportPeriod | undefined {
  return PERIODS[periods * SECONDS[unit]];
}

/** The share from which a quota is said to be near its end. */
export const NEAR = 0.8;
