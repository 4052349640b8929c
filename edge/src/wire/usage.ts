import { type UsageReport } from '@parley/protos/usage/v1/usage';
import { z } from 'zod';

/** Periods of a usage report. */
export const PERIODS = ['24h', '7d', '30d'] as const;

const byModel = z.object({ model: z.string(), requests: z.int(), tokens_in: z.int(), tokens_out: z.int() });
const byDay = z.object({ date: z.iso.date(), requests: z.int(), tokens: z.int() });

/** A usage report. */
export const usageReport = z
  .object({
    period: z.enum(PERIODS),
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

/** The wire form of a usage report. */
export function toUsageReport(report: UsageReport): z.input<typeof usageReport> {
  return {
    period: report.period as (typeof PERIODS)[number],
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
