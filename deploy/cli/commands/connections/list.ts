import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { connection, type Connection } from '../../gateway/answers.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { table } from '../../output/table.ts';
import { ago } from '../../output/times.ts';

/** `parley connections list`. */
export function listConnections(context: CliContext): Command {
  return new Command('list')
    .description('List connected accounts and how they are')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const connections = await gateway.all('/admin/v1/connections', connection, { workspace_id: workspace });
      const now = context.surroundings.now();
      const row = (each: Connection) => [
        each.label,
        each.provider,
        each.status + (each.cooldown_seconds ? ` (${each.cooldown_seconds}s left)` : ''),
        each.health,
        each.is_default ? 'yes' : '',
        each.models.length === 1 ? (each.models[0] ?? '') : String(each.models.length),
        ago(each.last_used_at, now),
        each.base_url,
        each.id,
      ];
      const headings = ['label', 'provider', 'status', 'health', 'default', 'models', 'last used', 'base url', 'id'];
      context.print(connections, () => table(headings, connections.map(row)));
    });
}
