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

/** Parses a quota such as `10000 per 1 day`; undefined for `unlimited` and for the default of the gateway. */
export function parseQuota(text: string | null): Quota | undefined {
  const [, limit, periods = '1', unit] = WRITTEN.exec(text ?? '') ?? [];
  return unit === undefined ? undefined : { limit: Number(limit), periods: Number(periods), unit: unit as Unit };
}

/** Formats a quota as the gateway accepts it. */
export function formatQuota({ limit, periods, unit }: Quota): string {
  return `${limit} per ${periods} ${unit}${periods === 1 ? '' : 's'}`;
}

/** The used share from which a quota is near its limit. */
const NEAR = 0.8;

/** Returns the quotas of which at least four fifths are used, sorted by the used share. */
export function filterNearLimit(uses: readonly QuotaUse[]): QuotaUse[] {
  return sortByUsedShare(uses).filter((use) => shareOf(use) >= NEAR);
}

/** Sorts quotas by the used share, highest first. */
export function sortByUsedShare<T extends Pick<QuotaUse, 'used' | 'limit'>>(uses: readonly T[]): T[] {
  return uses.toSorted((one, other) => shareOf(other) - shareOf(one));
}

function shareOf({ used, limit }: Pick<QuotaUse, 'used' | 'limit'>): number {
  return used / limit;
}
