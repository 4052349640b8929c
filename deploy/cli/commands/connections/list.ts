import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { connection, type Connection } from '../../gateway/answers.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { aliasesOf, modelsOf, statusOf } from '../../output/connection-lines.ts';
import { table } from '../../output/table.ts';
import { ago } from '../../output/times.ts';

interface Flags {
  workspace?: string;
  search?: string;
  provider?: string;
  status?: string;
}

/** `parley connections list`. */
export function listConnections(context: CliContext): Command {
  return new Command('list')
    .description('List connected accounts and how they are')
    .addOption(workspaceOption())
    .option('--search <text>', 'only those with this text in their label or provider, or with this id')
    .option('--provider <provider>', 'only those of this provider')
    .option('--status <status>', 'only those with this status, such as active or expired')
    .action(async ({ workspace, ...filters }: Flags) => {
      const gateway = await context.gateway();
      const connections = await gateway.all('/admin/v1/connections', connection, { workspace_id: workspace, ...filters });
      const now = context.environment.now();
      const row = (each: Connection) => [
        each.label,
        each.provider,
        statusOf(each),
        each.health,
        each.is_default ? 'yes' : '',
        modelsOf(each),
        each.default_model ?? '',
        aliasesOf(each),
        each.resting_models.join(', '),
        ago(each.last_used_at, now),
        each.base_url,
        each.id,
        each.reason ?? '',
      ];
      const own = ['label', 'provider', 'status', 'health', 'default', 'models', 'default model', 'aliases', 'resting'];
      const headings = [...own, 'last used', 'base url', 'id', 'reason'];
      context.print(connections, () => table(headings, connections.map(row)));
    });
}
