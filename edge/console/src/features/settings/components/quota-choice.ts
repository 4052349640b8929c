/** Units of a period. */
export const UNITS = ['second', 'minute', 'hour', 'day'] as const;
export type Unit = (typeof UNITS)[number];

/** The choice of a quota in a form: that of the gateway, none, or a number in a number of units of time. */
export interface QuotaChoice {
  kind: 'default' | 'unlimited' | 'limit';
  points: string;
  periods: string;
  unit: Unit;
}

const TEXT = /^(\d+) per (\d+ )?(second|minute|hour|day)s?$/;
const NONE: QuotaChoice = { kind: 'default', points: '', periods: '1', unit: 'day' };

/** Parses a quota of the gateway, such as `10000 per 1 day`, `unlimited`, or null for its default. */
export function parseQuotaChoice(text: string | null): QuotaChoice {
  if (text === null) return NONE;
  const [, points, periods = '1', unit] = TEXT.exec(text) ?? [];
  if (points === undefined) return { ...NONE, kind: 'unlimited' };
  return { kind: 'limit', points, periods: periods.trim(), unit: UNITS.find((one) => one === unit) ?? 'day' };
}

/** Formats a choice as the gateway accepts it. */
export function formatQuotaChoice({ kind, points, periods, unit }: QuotaChoice): string | null {
  if (kind !== 'limit') return kind === 'default' ? null : 'unlimited';
  return `${Number(points)} per ${Number(periods)} ${unit}${Number(periods) > 1 ? 's' : ''}`;
}

/** Whether the numbers of a choice are valid for the gateway. */
export function isValidQuotaChoice({ kind, points, periods }: QuotaChoice): boolean {
  return kind !== 'limit' || [points, periods].every((text) => Number.isSafeInteger(Number(text)) && Number(text) > 0);
}
