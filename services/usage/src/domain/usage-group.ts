import { type Counters, emptyCounters } from './counters.ts';
import { type Percentiles } from './latency-buckets.ts';
import { type ReportWindow } from './period.ts';

/** What the operator's report sums by. */
export const USAGE_GROUPINGS = ['workspace', 'key', 'connection', 'model', 'day', 'hour'] as const;

/** One of them. */
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** True for the name of a grouping. */
export function isUsageGrouping(value: string): value is UsageGrouping {
  return (USAGE_GROUPINGS as readonly string[]).includes(value);
}

/** The sums of one group of the report. */
export interface UsageGroup extends Counters {
  /**
   * Id of the workspace, key or connection, or the name of the model; empty for requests that were rejected before a model was known. A day is
   * `YYYY-MM-DD` and an hour `YYYY-MM-DDTHH:00:00Z`, both of UTC.
   */
  id: string;
  /** The workspace of a key or connection; empty for other groups. */
  workspaceId: string;
}

/** How long the chat turns of a group took, and which errors it had. */
export interface GroupLatencies {
  /** Of all chat turns. */
  duration: Percentiles;
  /** Of chat turns whose first token is known. */
  firstToken: Percentiles;
  /** By public code; most first. */
  errors: { code: string; count: number }[];
}

const HOUR = 3_600_000;

/** Completes the groups of days or hours with those without requests, in order. */
export function fillGaps(grouping: 'day' | 'hour', groups: readonly UsageGroup[], { since, until, days }: ReportWindow): UsageGroup[] {
  const found = new Map(groups.map((group) => [group.id, group]));
  const ids = grouping === 'day' ? days : listHours(since, until);
  return ids.map((id) => found.get(id) ?? { id, workspaceId: '', ...emptyCounters() });
}

/** Converts the start of an hour to the id of its group. */
function toHourId(at: Date): string {
  return `${at.toISOString().slice(0, 13)}:00:00Z`;
}

function listHours(since: Date, until: Date): string[] {
  const hours: string[] = [];
  for (let at = since.getTime(); at <= until.getTime(); at += HOUR) hours.push(toHourId(new Date(at)));
  return hours;
}
