import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { type UsageGroup } from '@parley/protos/usage/v1/usage';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { getRequestContext } from '../../../middleware/request-context.ts';
import { listKeyNames } from '../../../store/keys.ts';
import { listWorkspaceNames } from '../../../store/workspaces.ts';
import { toUsageCsv } from '../../../wire/usage-csv.ts';
import { USAGE_PERIODS, toUsageGroup, USAGE_GROUPINGS, type usageByGroup } from '../../../wire/usage.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { type Input, type Reply, RESPONSE_SENT } from '../../route.ts';
import { withWorkspace } from '../callers.ts';

const ALL = 'all';

/** Query parameters of the usage report of the control plane. */
export const usageGroupsQuery = z.object({
  workspace_id: z
    .union([uuid, z.literal(ALL)])
    .optional()
    .meta({
      description:
        'Or `all` for all workspaces, which is the default by `workspace`; otherwise it is the workspace that exists from the start.',
    }),
  by: z.enum(USAGE_GROUPINGS).default('key'),
  period: z
    .enum(USAGE_PERIODS)
    .optional()
    .meta({ description: 'The default is `7d`; by `hour` it is `24h`, and nothing else is possible. Not together with days.' }),
  since: z.iso.date().optional().meta({
    description:
      'The first of chosen UTC days, with `until`, at most 400. Latencies, errors by code and the use of connections are kept for 32 days.',
  }),
  until: z.iso.date().optional().meta({ description: 'The last of them, included.' }),
  format: z.enum(['json', 'csv']).optional().meta({ description: 'Takes precedence over `Accept`.' }),
});

type Query = z.output<typeof usageGroupsQuery>;
type Report = z.output<typeof usageByGroup>;

/** Most connections per workspace whose names are read; a workspace rarely has more. */
const MAX_CONNECTIONS = 1_000;
/** Most workspaces whose connection names are read; names in further workspaces are null. */
const MAX_WORKSPACES = 100;

/** Returns the workspace whose usage is requested; undefined for all workspaces. */
export function resolveUsageWorkspace({ query }: Pick<Input<undefined, Query>, 'query'>): string | undefined {
  const { by, workspace_id = by === 'workspace' ? ALL : DEFAULT_WORKSPACE_ID } = query;
  return workspace_id === ALL ? undefined : workspace_id;
}

/** Returns the usage of a workspace, or of all, by group, as JSON or CSV. Names of deleted resources are null. */
export async function listUsageGroups(
  { principal, query, req }: Input<undefined, Query>,
  deps: RouteDeps,
  res: ServerResponse,
): Promise<Reply<z.input<typeof usageByGroup>> | typeof RESPONSE_SENT> {
  const { by } = query;
  const asked = toAsked(query);
  const caller = withWorkspace(principal, resolveUsageWorkspace({ query }) ?? '');
  const { groups } = await deps.clients.usage.listUsageGroups({ by, ...asked, keyIds: [] }, { caller });
  const names = await listNames(deps, by, groups, principal);
  const when = { period: (asked.period || null) as Report['period'], since: asked.since || null, until: asked.until || null };
  const body = { ...when, by, groups: groups.map((group) => toUsageGroup(group, names.get(group.id) ?? null)) };
  if (!wantsCsv(req, query)) return { body, headers: { vary: 'Accept' } };
  sendCsv(req, res, body);
  return RESPONSE_SENT;
}

/** Converts the period or the days of a query to those of the gRPC contract; by hour, there is only the last day. */
function toAsked({ by, period, since, until }: Query): { period: string; since: string; until: string } {
  if (since === undefined && until === undefined) return { period: period ?? (by === 'hour' ? '24h' : '7d'), since: '', until: '' };
  if (by === 'hour') throw new GatewayError('VALIDATION_ERROR', 'by hour there are the last 24 hours only', { param: 'by' });
  if (period !== undefined) throw new GatewayError('VALIDATION_ERROR', 'choose a period or days', { param: 'period' });
  if (since === undefined) throw new GatewayError('VALIDATION_ERROR', 'until needs since', { param: 'since' });
  if (until === undefined) throw new GatewayError('VALIDATION_ERROR', 'since needs until', { param: 'until' });
  return { period: '', since, until };
}

async function listNames(
  { db, clients }: RouteDeps,
  by: Query['by'],
  groups: readonly UsageGroup[],
  principal: Input['principal'],
): Promise<ReadonlyMap<string, string>> {
  const ids = groups.map(({ id }) => id);
  switch (by) {
    case 'workspace':
      return listWorkspaceNames(db, ids);
    case 'key':
      return listKeyNames(db, ids);
    case 'connection': {
      const request = { provider: '', status: '', limit: MAX_CONNECTIONS, offset: 0 };
      const workspaces = [...new Set(groups.map(({ workspaceId }) => workspaceId))].filter((id) => id !== '').slice(0, MAX_WORKSPACES);
      const lists = await Promise.all(
        workspaces.map((id) => clients.chatRouting.listConnections(request, { caller: withWorkspace(principal, id) })),
      );
      return new Map(lists.flatMap(({ connections }) => connections.map(({ id, label }) => [id, label] as const)));
    }
    case 'model':
    case 'day':
    case 'hour':
      return new Map(ids.map((id) => [id, id]));
  }
}

function wantsCsv({ headers }: IncomingMessage, { format }: Query): boolean {
  if (format) return format === 'csv';
  return (headers.accept ?? '').split(',').some((type) => type.trim().toLowerCase().startsWith('text/csv'));
}

function sendCsv(req: IncomingMessage, res: ServerResponse, report: Report): void {
  const csv = Buffer.from(toUsageCsv(report));
  res
    .writeHead(200, {
      'x-request-id': getRequestContext(req).id,
      vary: 'Accept',
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-length': csv.length,
      'content-disposition': `attachment; filename="usage-by-${report.by}-${report.period ?? `${report.since}-${report.until}`}.csv"`,
    })
    .end(csv);
}
