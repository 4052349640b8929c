import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { workspace } from '../../gateway/answers.ts';
import { type Filters, withFilters } from '../../input/filters.ts';
import { shownQuotas } from '../../output/quotas.ts';
import { table } from '../../output/table.ts';

/** `parley workspaces list`. */
export function listWorkspaces(context: CliContext): Command {
  const list = new Command('list').description('List workspaces, oldest first');
  return withFilters(list, 'name').action(async (filters: Filters) => {
    const gateway = await context.gateway();
    const workspaces = await gateway.all('/admin/v1/workspaces', workspace, { ...filters });
    context.print(workspaces, () =>
      table(
        ['id', 'name', 'status', 'at once', 'quotas'],
        workspaces.map(({ id, name, status, max_concurrency, quotas }) => [
          id,
          name,
          status,
          String(max_concurrency ?? 'as configured'),
          shownQuotas(quotas),
        ]),
      ),
    );
  });
}
