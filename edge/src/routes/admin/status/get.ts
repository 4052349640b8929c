import { VERSION } from '@parley/kit/version';
import { z } from 'zod';
import { readiness, toReadiness } from '../../../wire/readiness.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type workspaceQuery } from '../fields.ts';

/** The status of the gateway in responses. */
export const gatewayStatus = z
  .object({
    version: z.string(),
    topology: z.enum(['single', 'separate']),
    instance: z.string(),
    started_at: z.iso.datetime(),
    uptime_seconds: z.int(),
    readiness,
    connections: z
      .object({ total: z.int(), by_status: z.record(z.string(), z.int()) })
      .nullable()
      .meta({ description: 'Connections of one workspace; null when the service does not answer.' }),
  })
  .meta({ id: 'HouseStatus' });

const PAGE = 200;

/** Returns version, topology, uptime, readiness, and the connections of a workspace. Answers also when services are down. */
export async function getStatus(
  { principal, query }: Input<undefined, z.output<typeof workspaceQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof gatewayStatus>>> {
  const caller = withWorkspace(principal, query.workspace_id);
  const [report, connections] = await Promise.all([deps.readiness.report(), summary(deps, caller).catch(() => null)]);
  return {
    body: {
      version: VERSION,
      topology: deps.config.topology,
      instance: deps.config.instance,
      started_at: new Date(deps.startedAt).toISOString(),
      uptime_seconds: Math.floor((Date.now() - deps.startedAt) / 1_000),
      readiness: toReadiness(report, deps.readiness.isDraining),
      connections,
    },
  };
}

async function summary({ clients }: RouteDeps, caller: Input['principal']) {
  const request = { provider: '', status: '', limit: PAGE, offset: 0 };
  const { connections, total } = await clients.chatRouting.listConnections(request, { caller, deadlineMs: 1_500 });
  const byStatus: Record<string, number> = {};
  for (const { status } of connections) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return { total, by_status: byStatus };
}
