import { type LatencyPercentiles, type UsageGroup, type UsageReport } from '@parley/protos/usage/v1/usage';
import { z } from 'zod';

/** Periods of a usage report: the last day, week or month. */
export const USAGE_PERIODS = ['24h', '7d', '30d'] as const;

const byModel = z.object({ model: z.string(), requests: z.int(), tokens_in: z.int(), tokens_out: z.int() });
const byDay = z.object({ date: z.iso.date(), requests: z.int(), tokens: z.int() });

/** The usage report of an API key, or of all keys for the operator. */
export const usageReport = z
  .object({
    period: z.enum(USAGE_PERIODS),
    scope: z.enum(['api_key', 'all']),
    total_requests: z.int(),
    successful: z.int(),
    errors: z.int(),
    rate_limited: z.int(),
    total_tokens_in: z.int(),
    total_tokens_out: z.int(),
    total_duration_ms: z.int(),
    by_model: z.array(byModel),
    by_day: z.array(byDay),
  })
  .meta({ id: 'UsageReport', description: 'Token counts are estimates.' });

/** Dimensions by which the usage report of the control plane groups. */
export const USAGE_GROUPINGS = ['workspace', 'key', 'connection', 'model', 'day', 'hour'] as const;

const percentiles = z
  .object({ count: z.int(), p50_ms: z.int(), p90_ms: z.int(), p95_ms: z.int(), p99_ms: z.int() })
  .meta({ id: 'LatencyPercentiles', description: 'Each within 2 % of the true value; 0 without turns.' });

const usageGroup = z.object({
  id: z.string().meta({
    description:
      'Of the workspace, key or connection, or the name of the model (empty for requests that were rejected before a model was known), or the UTC day or hour.',
  }),
  name: z.string().nullable().meta({ description: 'Null for what was deleted.' }),
  workspace_id: z.string().nullable().meta({ description: 'The workspace of a key or connection; null for other groups.' }),
  requests: z.int(),
  successful: z.int(),
  errors: z.int(),
  rate_limited: z.int(),
  tokens_in: z.int(),
  tokens_out: z.int(),
  duration_ms: z.int().meta({ description: 'Sum of all requests.' }),
  audio_ms: z.int().meta({
    description: 'Of speech and transcriptions that were completed; of synchronous speech what its characters are expected to take.',
  }),
  duration: percentiles.meta({ description: 'Of chat turns, whatever their end. Each within 2 % of the true value; 0 without turns.' }),
  first_token: percentiles.meta({
    description:
      'From the head of the request to the first text, of chat turns where it is known. Each within 2 % of the true value; 0 without turns.',
  }),
  errors_by_code: z.array(z.object({ code: z.string(), count: z.int() })).meta({
    description:
      'Most first. Requests that were rejected before any work began, and answers that were cut off before their first text, have no code.',
  }),
});

const chosenDay = z.iso.date().nullable();

/** The usage of a workspace, or of all workspaces, by group. */
export const usageByGroup = z
  .object({
    period: z.enum(USAGE_PERIODS).nullable().meta({ description: 'Null for chosen days.' }),
    since: chosenDay.meta({ description: 'The first of chosen days; else null.' }),
    until: chosenDay.meta({ description: 'The last of chosen days; else null.' }),
    by: z.enum(USAGE_GROUPINGS),
    groups: z.array(usageGroup),
  })
  .meta({
    id: 'UsageByGroup',
    description:
      'At most 1,000 groups, those with most requests first; days and hours in their order, also those without requests. Work without a connection has no group by connection.',
  });

/** Converts a group to its JSON form; `name` is null when its resource was deleted. */
export function toUsageGroup(group: UsageGroup, name: string | null): z.output<typeof usageGroup> {
  return {
    id: group.id,
    name,
    workspace_id: group.workspaceId || null,
    requests: group.requests,
    successful: group.successful,
    errors: group.errors,
    rate_limited: group.rateLimited,
    tokens_in: group.tokensIn,
    tokens_out: group.tokensOut,
    duration_ms: group.durationMs,
    audio_ms: group.audioMs,
    duration: toPercentiles(group.duration),
    first_token: toPercentiles(group.firstToken),
    errors_by_code: group.errorsByCode.map(({ code, count }) => ({ code, count })),
  };
}

function toPercentiles(found: LatencyPercentiles | undefined): z.output<typeof percentiles> {
  const { count = 0, p50Ms = 0, p90Ms = 0, p95Ms = 0, p99Ms = 0 } = found ?? {};
  return { count, p50_ms: p50Ms, p90_ms: p90Ms, p95_ms: p95Ms, p99_ms: p99Ms };
}

/** Converts a usage report to its JSON form. */
export function toUsageReport(report: UsageReport): z.input<typeof usageReport> {
  return {
    period: report.period as (typeof USAGE_PERIODS)[number],
    scope: report.scope as 'api_key' | 'all',
    total_requests: report.totalRequests,
    successful: report.successful,
    errors: report.errors,
    rate_limited: report.rateLimited,
    total_tokens_in: report.totalTokensIn,
    total_tokens_out: report.totalTokensOut,
    total_duration_ms: report.totalDurationMs,
    by_model: report.byModel.map((row) => ({
      model: row.model,
      requests: row.requests,
      tokens_in: row.tokensIn,
      tokens_out: row.tokensOut,
    })),
    by_day: report.byDay.map(({ date, requests, tokens }) => ({ date, requests, tokens })),
  };
}
