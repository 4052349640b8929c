import { type ReportPeriod, type ReportSpan } from '../../api/usage.ts';

/** The span of a report in the address. */
interface Asked {
  period?: ReportPeriod | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const DAY_MS = 86_400_000;
/** Days for which the gateway keeps sums; then those for which it keeps latencies, errors by code and the use of connections. */
const MAX_DAYS = 400;
export const DETAIL_RETENTION_DAYS = 32;

/** Returns the span of a report: the chosen days if both are given and in order, else a period. */
export function toReportSpan({ period, since, until }: Asked): ReportSpan {
  return since !== undefined && until !== undefined && since <= until ? { since, until } : { period: period ?? '7d' };
}

/** A UTC day so many days before a moment. */
export function dayBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the earliest first day that can be chosen with a last one. */
export function toEarliestSince(until: string): string {
  return dayBefore(Date.parse(until), MAX_DAYS - 1);
}

/** Whether a span begins before the retention of details, so that only sums are kept of its first days. */
export function isBeyondDetailRetention(span: ReportSpan, now: number): boolean {
  return 'since' in span && span.since < dayBefore(now, DETAIL_RETENTION_DAYS);
}
