import { z } from 'zod';
import { USAGE_PERIODS, toUsageReport, type usageReport } from '../../wire/usage.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';

/** Query parameters of the usage report. */
export const usageQuery = z.object({ period: z.enum(USAGE_PERIODS).default('7d') });

/** Returns the usage of the caller's key, or of all keys for the operator. */
export async function getUsage(
  { principal, query }: Input<undefined, z.output<typeof usageQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof usageReport>>> {
  return { body: toUsageReport(await clients.usage.getUsage({ period: query.period }, { caller: principal })) };
}
