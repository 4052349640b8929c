import { type components } from './generated/admin.ts';

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

/** How much of a quota is used in its current window. */
export type QuotaUse = components['schemas']['QuotaUse'];

const WRITTEN = /^(\d+) per (?:(\d+) )?(second|minute|hour|day)s?$/;

/** What a quota such as `10000 per 1 day` says; undefined for `unlimited` and for the default of the gateway. */
export function parseQuota(text: string | null): Quota | undefined {
  const [, limit, periods = '1', unit] = WRITTEN.exec(text ?? '') ?? [];
  return unit === undefined ? undefined : { limit: Number(limit), periods: Number(periods), unit: unit as Unit };
}

/** The text that the gateway takes for a quota. */
export function formatQuota({ limit, periods, unit }: Quota): string {
  return `${limit} per ${periods} ${unit}${periods === 1 ? '' : 's'}`;
}

/** The share from which a quota is said to be near its end. */
const NEAR = 0.8;

/** The quotas of which at least four fifths are used. */
export function filterNearLimit(uses: readonly QuotaUse[]): QuotaUse[] {
  return sortByUsedShare(uses).filter((use) => shareOf(use) >= NEAR);
}

/** The quotas of which most is used first. */
export function sortByUsedShare<T extends Pick<QuotaUse, 'used' | 'limit'>>(uses: readonly T[]): T[] {
  return uses.toSorted((one, other) => shareOf(other) - shareOf(one));
}

function shareOf({ used, limit }: Pick<QuotaUse, 'used' | 'limit'>): number {
  return used / limit;
}
