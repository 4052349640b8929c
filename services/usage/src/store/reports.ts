import { mapDatabaseError } from '@parley/kit/db/database-error';
import { toUtcDay, type ReportWindow } from '../domain/period.ts';
import { type ReportScope, type UsageRow } from '../domain/report.ts';
import { type PrismaClient } from '../generated/prisma/client.ts';
import { type Database } from './database.ts';

const SUMS = {
  successful: true,
  errors: true,
  rateLimited: true,
  tokensIn: true,
  tokensOut: true,
  durationMs: true,
  audioMs: true,
} as const;

/**
 * Returns the sums per bucket and model. Reads rollups, never records, so the cost of a report does not depend on their number.
 * @throws GatewayError SERVICE_UNAVAILABLE when the database is unavailable
 */
export async function listUsageRows({ prisma }: Database, scope: ReportScope, window: ReportWindow): Promise<UsageRow[]> {
  try {
    return await (window.bucket === 'hour' ? hourly(prisma, scope, window) : daily(prisma, scope, window));
  } catch (error) {
    throw mapDatabaseError(error);
  }
}

async function hourly(prisma: PrismaClient, scope: ReportScope, { since, until }: ReportWindow): Promise<UsageRow[]> {
  const where = { ...owner(scope), hour: { gte: since, lte: until } };
  const groups = await prisma.hourlyRollup.groupBy({ by: ['hour', 'model'], where, _sum: SUMS });
  return groups.map(({ hour, model, _sum }) => ({ day: toUtcDay(hour), model, ...numbers(_sum) }));
}

async function daily(prisma: PrismaClient, scope: ReportScope, { since, until }: ReportWindow): Promise<UsageRow[]> {
  const where = { ...owner(scope), day: { gte: since, lte: until } };
  const groups = await prisma.dailyRollup.groupBy({ by: ['day', 'model'], where, _sum: SUMS });
  return groups.map(({ day, model, _sum }) => ({ day: toUtcDay(day), model, ...numbers(_sum) }));
}

function owner(scope: ReportScope): { workspaceId?: string; keyId?: string } {
  switch (scope.kind) {
    case 'api_key':
      return { workspaceId: scope.workspaceId, keyId: scope.keyId };
    case 'workspace':
      return { workspaceId: scope.workspaceId };
    case 'all':
      return {};
  }
}

type Sums = Record<keyof typeof SUMS, bigint | null>;

/** Sums stay far below 2^53. */
function numbers(sums: Sums): Record<keyof typeof SUMS, number> {
  return {
    successful: Number(sums.successful),
    errors: Number(sums.errors),
    rateLimited: Number(sums.rateLimited),
    tokensIn: Number(sums.tokensIn),
    tokensOut: Number(sums.tokensOut),
    durationMs: Number(sums.durationMs),
    audioMs: Number(sums.audioMs),
  };
}
