import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { changeConnection } from '../../gateway/change-connection.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley connections disable`. */
export function disableConnection(context: CliContext): Command {
  return new Command('disable')
    .description('Keep turns away from an account')
    .argument('<connection>', 'its label or id')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace?: string }) => {
      const changed = await changeConnection(await context.gateway(), { name, workspace }, { enabled: false });
      context.print(changed, () => `${changed.label} is ${changed.status}.`);
    });
}
