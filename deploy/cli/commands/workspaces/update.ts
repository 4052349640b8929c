import { Command, Option } from 'commander';
import { usageError } from '../../cli-error.ts';
import { type CliContext } from '../../context.ts';
import { workspace } from '../../gateway/answers.ts';
import { findWorkspace } from '../../gateway/find.ts';
import { newConcurrency } from '../../input/concurrency.ts';

interface UpdateOptions {
  name?: string;
  status?: string;
  maxConcurrency?: number | 'default';
}

/** `parley workspaces update`: what a workspace is called, whether it may act, and how much at once. */
export function updateWorkspace(context: CliContext): Command {
  return new Command('update')
    .description('Rename, enable, disable or bound a workspace')
    .argument('<workspace>', 'its name or id')
    .option('--name <name>', 'its new name')
    .addOption(new Option('--status <status>', 'whether its keys may be used').choices(['active', 'disabled']))
    .option('--max-concurrency <number>', 'requests under way at each edge, or `default`', newConcurrency)
    .action(async (asked: string, { name, status, maxConcurrency }: UpdateOptions) => {
      const body = { name, status, max_concurrency: maxConcurrency === 'default' ? null : maxConcurrency };
      if (Object.values(body).every((value) => value === undefined)) throw usageError('give --name, --status or --max-concurrency');
      const gateway = await context.gateway();
      const { id } = await findWorkspace(gateway, asked);
      const changed = await gateway.call('PATCH', `/admin/v1/workspaces/${encodeURIComponent(id)}`, workspace, { body });
      const bound = changed.max_concurrency ?? 'as many as configured';
      context.print(changed, () => `${changed.name} is ${changed.status}, with ${bound} requests at once at each edge.`);
    });
}
