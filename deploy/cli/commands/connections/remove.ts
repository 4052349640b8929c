import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { nothing } from '../../gateway/client.ts';
import { connectionPath, findConnection } from '../../gateway/find.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley connections remove`: forgets the account and its secret; its conversations stay on record. */
export function removeConnection(context: CliContext): Command {
  return new Command('remove')
    .description('Disconnect an account and forget its secret')
    .argument('<connection>', 'its label or id')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace?: string }) => {
      const gateway = await context.gateway();
      const found = await findConnection(gateway, name, workspace);
      await gateway.call('DELETE', connectionPath(found), nothing, { query: { workspace_id: workspace } });
      context.print({ id: found.id, label: found.label, removed: true }, () => `Removed ${found.label}.`);
    });
}
