import { type ReportPeriod, type ReportSpan } from '../../api/usage.ts';

/** What the address says of the time of a report. */
interface Asked {
  period?: ReportPeriod | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const DAY_MS = 86_400_000;
/** For so many days the gateway keeps sums, and for so many latencies, errors by code and the use of connections. */
const MAX_DAYS = 400;
export const DETAIL_RETENTION_DAYS = 32;

/** The time of a report: chosen days where both are there and in their order, else a period. */
export function toReportSpan({ period, since, until }: Asked): ReportSpan {
  return since !== undefined && until !== undefined && since <= until ? { since, until } : { period: period ?? '7d' };
}

/** A UTC day so many days before a moment. */
export function dayBefore(now: number, days: number): string {
  return new Date(now - days * DAY_MS).toISOString().slice(0, 10);
}

/** The first day that can be chosen with a last one. */
export function toEarliestSince(until: string): string {
  return dayBefore(Date.parse(until), MAX_DAYS - 1);
}

/** True where a part of the span is so long ago that sums alone are kept of it. */
export function isBeyondDetailRetention(span: ReportSpan, now: number): boolean {
  return 'since' in span && span.since < dayBefore(now, DETAIL_RETENTION_DAYS);
}
