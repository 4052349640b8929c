import { Command } from 'commander';
import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { usageError } from '../../cli-error.ts';
import { type CliContext } from '../../context.ts';
import { workspace } from '../../gateway/answers.ts';
import { type QuotaOptions, quotasOf, withQuotas } from '../../input/quota-options.ts';
import { shownQuotas } from '../../output/quotas.ts';

/** `parley workspaces update`: what a workspace is called and how much all of its keys may use together. */
export function updateWorkspace(context: CliContext): Command {
  const command = new Command('update')
    .description('Rename a workspace, or set the quotas of all of its keys together')
    .argument('[workspace]', 'its id (default: the one that exists from the start)', DEFAULT_WORKSPACE_ID)
    .option('--name <name>', 'its new name');
  return withQuotas(command).action(async (id: string, { name, ...options }: QuotaOptions & { name?: string }) => {
    const quotas = quotasOf(options);
    if (name === undefined && quotas === undefined) throw usageError('give --name or a quota');
    const gateway = await context.gateway();
    const path = `/admin/v1/workspaces/${encodeURIComponent(id)}`;
    const changed = await gateway.call('PATCH', path, workspace, { body: { name, quotas } });
    context.print(changed, () => `${changed.name}: ${shownQuotas(changed.quotas)}.`);
  });
}
