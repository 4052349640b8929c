import { type DayUsage, type ModelUsage, type UsageReport } from '@parley/protos/usage/v1/usage';
import { addCounters, type Counters, countRequests, createEmptyCounters } from './counters.ts';
import { type Period } from './period.ts';

/** The sums of one model in one bucket. */
export interface UsageRow extends Counters {
  /** The UTC day of the bucket, `YYYY-MM-DD`. */
  day: string;
  model: string;
}

/** The keys that a report covers: one key, or all keys of a workspace or of the gateway. */
export type ReportScope =
  | { kind: 'api_key'; workspaceId: string; keyId: string }
  | { kind: 'workspace'; workspaceId: string }
  | { kind: 'all' };

/** Returns the scope of a caller: its key, or its workspace, or everything; a key sees its own usage only. */
export function toReportScope({ workspaceId, keyId }: { workspaceId: string; keyId: string }): ReportScope {
  if (keyId !== '') return { kind: 'api_key', workspaceId, keyId };
  return workspaceId === '' ? { kind: 'all' } : { kind: 'workspace', workspaceId };
}

/**
 * Builds the report of `GET /v1/usage` from the sums of its buckets. It contains every day, also days without requests. Requests that were
 * rejected before a model was known count in the totals and in their day, not in `by_model`, which is sorted by requests, descending.
 */
export function buildReport(period: Period, scope: ReportScope, days: readonly string[], rows: readonly UsageRow[]): UsageReport {
  const total = createEmptyCounters();
  const models = new Map<string, Counters>();
  const byDay = new Map(days.map((day) => [day, createEmptyCounters()]));
  for (const row of rows) {
    addCounters(total, row);
    const day = byDay.get(row.day);
    if (day) addCounters(day, row);
    if (row.model !== '') addCounters(entry(models, row.model), row);
  }
  return {
    period,
    scope: scope.kind === 'api_key' ? 'api_key' : 'all',
    totalRequests: countRequests(total),
    successful: total.successful,
    errors: total.errors,
    rateLimited: total.rateLimited,
    totalTokensIn: total.tokensIn,
    totalTokensOut: total.tokensOut,
    totalDurationMs: total.durationMs,
    byModel: [...models].map(([model, sum]) => modelUsage(model, sum)).sort(mostRequestsFirst),
    byDay: [...byDay].map(([date, sum]) => dayUsage(date, sum)),
  };
}

function entry(models: Map<string, Counters>, model: string): Counters {
  let sum = models.get(model);
  if (!sum) models.set(model, (sum = createEmptyCounters()));
  return sum;
}

function modelUsage(model: string, sum: Counters): ModelUsage {
  return { model, requests: countRequests(sum), tokensIn: sum.tokensIn, tokensOut: sum.tokensOut };
}

function dayUsage(date: string, sum: Counters): DayUsage {
  return { date, requests: countRequests(sum), tokens: sum.tokensIn + sum.tokensOut };
}

function mostRequestsFirst(a: ModelUsage, b: ModelUsage): number {
  return b.requests - a.requests || (a.model < b.model ? -1 : 1);
}
