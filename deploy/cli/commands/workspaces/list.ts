import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { workspace } from '../../gateway/answers.ts';
import { shownQuotas } from '../../output/quotas.ts';
import { table } from '../../output/table.ts';

/** `parley workspaces list`: oldest first. */
export function listWorkspaces(context: CliContext): Command {
  return new Command('list').description('List workspaces').action(async () => {
    const gateway = await context.gateway();
    const workspaces = await gateway.all('/admin/v1/workspaces', workspace, {});
    context.print(workspaces, () =>
      table(
        ['id', 'name', 'status', 'quotas'],
        workspaces.map(({ id, name, status, quotas }) => [id, name, status, shownQuotas(quotas)]),
      ),
    );
  });
}
