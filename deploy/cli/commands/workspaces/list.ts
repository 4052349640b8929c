import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { workspaceSchema } from '../../gateway/response-schemas.ts';
import { type FilterOptions, addFilterOptions } from '../../input/filter-options.ts';
import { formatQuotas } from '../../output/format-quotas.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley workspaces list`. */
export function listWorkspaces(context: CliContext): Command {
  const list = new Command('list').description('List workspaces, oldest first');
  return addFilterOptions(list, 'name').action(async (filters: FilterOptions) => {
    const gateway = await context.gateway();
    const workspaces = await gateway.listAll('/admin/v1/workspaces', workspaceSchema, { ...filters });
    context.print(workspaces, () =>
      formatTable(
        ['id', 'name', 'status', 'at once', 'quotas'],
        workspaces.map(({ id, name, status, max_concurrency, quotas }) => [
          id,
          name,
          status,
          String(max_concurrency ?? 'as configured'),
          formatQuotas(quotas),
        ]),
      ),
    );
  });
}
