import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { workspace } from '../../gateway/answers.ts';
import { shownQuotas } from '../../output/quotas.ts';
import { table } from '../../output/table.ts';

/** `parley workspaces list`. */
export function listWorkspaces(context: CliContext): Command {
  return new Command('list').description('List workspaces, oldest first').action(async () => {
    const gateway = await context.gateway();
    const workspaces = await gateway.all('/admin/v1/workspaces', workspace);
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
