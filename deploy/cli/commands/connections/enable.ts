import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { changeConnection } from '../../gateway/change-connection.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

/** `parley connections enable`. */
export function enableConnection(context: CliContext): Command {
  return new Command('enable')
    .description('Let turns use a disabled account again')
    .argument('<connection>', 'its label or id')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace?: string }) => {
      const changed = await changeConnection(await context.gateway(), { name, workspace }, { enabled: true });
      context.print(changed, () => `${changed.label} is ${changed.status}.`);
    });
}
