import { type Counters, createEmptyCounters } from './counters.ts';
import { type Percentiles } from './latency-buckets.ts';
import { type ReportWindow } from './period.ts';

/** Groupings of the operator's report. */
export const USAGE_GROUPINGS = ['workspace', 'key', 'connection', 'model', 'day', 'hour'] as const;

/** One of `USAGE_GROUPINGS`. */
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** Whether a text is the name of a grouping. */
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

/** Latencies of the chat turns of a group, and its errors. */
export interface GroupLatencies {
  /** Duration of all chat turns. */
  duration: Percentiles;
  /** Time to the first token, of chat turns for which it is known. */
  firstToken: Percentiles;
  /** By public code, most frequent first. */
  errors: { code: string; count: number }[];
}

const HOUR = 3_600_000;

/** Returns a group for every day or hour of the window, in order, with zeros where there is none. */
export function fillMissingGroups(
  grouping: 'day' | 'hour',
  groups: readonly UsageGroup[],
  { since, until, days }: ReportWindow,
): UsageGroup[] {
  const found = new Map(groups.map((group) => [group.id, group]));
  const ids = grouping === 'day' ? days : listHours(since, until);
  return ids.map((id) => found.get(id) ?? { id, workspaceId: '', ...createEmptyCounters() });
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
