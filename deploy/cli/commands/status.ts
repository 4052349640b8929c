import { Command } from 'commander';
import { type CliContext } from '../cli-context.ts';
import { gatewayStatusSchema } from '../gateway/response-schemas.ts';
import { workspaceOption } from '../input/workspace-option.ts';
import { formatFacts, formatTable } from '../output/format-table.ts';
import { formatDuration } from '../output/format-times.ts';

/** `parley status`: shows the status of the gateway; fails when the gateway is not ready. */
export function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description('Show the version, the parts and the accounts of the gateway')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const status = await gateway.call('GET', '/admin/v1/status', gatewayStatusSchema, { query: { workspace_id: workspace } });
      context.failed = status.readiness.status !== 'ready';
      const { readiness, connections } = status;
      const parts = Object.entries(readiness.checks).map(([name, { ok, ms, detail }]) => [
        name,
        ok ? 'ok' : 'failing',
        `${ms} ms`,
        detail ?? '',
      ]);
      const accounts = connections ? summary(connections.total, connections.by_status) : 'cannot be asked for';
      context.print(status, () =>
        [
          formatFacts([
            ['Gateway', gateway.url],
            ['Version', status.version],
            ['Topology', status.topology],
            ['Up for', formatDuration(status.uptime_seconds)],
            ['State', readiness.status.replace('_', ' ')],
            ['Connections', accounts],
          ]),
          formatTable(['part', 'state', 'took', 'detail'], parts),
        ].join('\n\n'),
      );
    });
}

function summary(total: number, byStatus: Readonly<Record<string, number>>): string {
  const counts = Object.entries(byStatus).map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  return total === 0 ? 'none' : counts.join(', ');
}
