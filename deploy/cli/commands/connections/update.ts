import { Command } from 'commander';
import { usageError } from '../../cli-error.ts';
import { type CliContext } from '../../context.ts';
import { changeConnection } from '../../gateway/change-connection.ts';
import { newConcurrency } from '../../input/concurrency.ts';
import { workspaceOption } from '../../input/workspace-option.ts';

interface UpdateOptions {
  label?: string;
  maxConcurrency?: number | 'default';
  default?: boolean;
  workspace?: string;
}

/** `parley connections update`: what an account is called and how much it is asked at once. */
export function updateConnection(context: CliContext): Command {
  return new Command('update')
    .description('Change the name of an account, how many turns it runs at once, or make it the default')
    .argument('<connection>', 'its label or id')
    .option('--label <label>', 'its new name here')
    .option('--max-concurrency <number>', 'turns at once in each chat-routing process, or `default`', newConcurrency)
    .option('--default', 'make it the default account of the workspace, among those for the same purpose')
    .addOption(workspaceOption())
    .action(async (name: string, { label, maxConcurrency, default: isDefault, workspace }: UpdateOptions) => {
      const change = { label, max_concurrency: maxConcurrency === 'default' ? null : maxConcurrency, is_default: isDefault };
      if (Object.values(change).every((value) => value === undefined)) throw usageError('give --label, --max-concurrency or --default');
      const changed = await changeConnection(await context.gateway(), { name, workspace }, change);
      context.print(
        changed,
        () => `${changed.label} is ${changed.status}, with ${changed.max_concurrency ?? 'as many as configured'} turns at once.`,
      );
    });
}
