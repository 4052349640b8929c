import { type DayUsage, type ModelUsage, type UsageReport } from '@parley/protos/usage/v1/usage';
import { add, type Counters, requestsOf, zero } from './counters.ts';
import { type Period } from './period.ts';

/** The sum of one model in one bucket. */
export interface UsageRow extends Counters {
  /** The UTC day of the bucket, `YYYY-MM-DD`. */
  day: string;
  model: string;
}

/** Whose usage a report adds up: one key's, or all keys' of a workspace or of the gateway. */
export type Scope = { kind: 'api_key'; workspaceId: string; keyId: string } | { kind: 'workspace'; workspaceId: string } | { kind: 'all' };

/** What is asked for and for whom; a key sees its own usage only. */
export function scopeOf({ workspaceId, keyId }: { workspaceId: string; keyId: string }): Scope {
  if (keyId !== '') return { kind: 'api_key', workspaceId, keyId };
  return workspaceId === '' ? { kind: 'all' } : { kind: 'workspace', workspaceId };
}

/**
 * The report of spec §2.9 from the sums of its buckets. Every day is there, also one without requests. Requests that were refused
 * before a model was known count in the totals and in their day, not in `by_model`, whose order is: most requests first.
 */
export function assemble(period: Period, scope: Scope, days: readonly string[], rows: readonly UsageRow[]): UsageReport {
  const total = zero();
  const models = new Map<string, Counters>();
  const byDay = new Map(days.map((day) => [day, zero()]));
  for (const row of rows) {
    add(total, row);
    const day = byDay.get(row.day);
    if (day) add(day, row);
    if (row.model !== '') add(entry(models, row.model), row);
  }
  return {
    period,
    scope: scope.kind === 'api_key' ? 'api_key' : 'all',
    totalRequests: requestsOf(total),
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
  if (!sum) models.set(model, (sum = zero()));
  return sum;
}

function modelUsage(model: string, sum: Counters): ModelUsage {
  return { model, requests: requestsOf(sum), tokensIn: sum.tokensIn, tokensOut: sum.tokensOut };
}

function dayUsage(date: string, sum: Counters): DayUsage {
  return { date, requests: requestsOf(sum), tokens: sum.tokensIn + sum.tokensOut };
}

function mostRequestsFirst(a: ModelUsage, b: ModelUsage): number {
  return b.requests - a.requests || (a.model < b.model ? -1 : 1);
}
