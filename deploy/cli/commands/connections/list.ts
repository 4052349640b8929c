import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { connectionSchema, type Connection } from '../../gateway/response-schemas.ts';
import { workspaceOption } from '../../input/workspace-option.ts';
import { formatAliases, formatModelCount, formatConnectionStatus } from '../../output/format-connection.ts';
import { formatTable } from '../../output/format-table.ts';
import { formatAge } from '../../output/format-times.ts';

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
      const connections = await gateway.listAll('/admin/v1/connections', connectionSchema, { workspace_id: workspace, ...filters });
      const now = context.environment.now();
      const row = (each: Connection) => [
        each.label,
        each.provider,
        formatConnectionStatus(each),
        each.health,
        each.is_default ? 'yes' : '',
        formatModelCount(each),
        each.default_model ?? '',
        formatAliases(each),
        each.resting_models.join(', '),
        formatAge(each.last_used_at, now),
        each.base_url,
        each.id,
        each.reason ?? '',
      ];
      const own = ['label', 'provider', 'status', 'health', 'default', 'models', 'default model', 'aliases', 'resting'];
      const headings = [...own, 'last used', 'base url', 'id', 'reason'];
      context.print(connections, () => formatTable(headings, connections.map(row)));
    });
}
