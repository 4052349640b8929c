import { Command, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { resolveWorkspace } from '../../gateway/resolve-resources.ts';
import { workspaceSchema } from '../../gateway/response-schemas.ts';
import { parseConcurrencyOrDefault } from '../../input/concurrency.ts';
import { type QuotaOptions, toQuotaFields, addQuotaOptions } from '../../input/quota-options.ts';
import { formatQuotas } from '../../output/format-quotas.ts';

interface UpdateOptions extends QuotaOptions {
  name?: string;
  status?: string;
  maxConcurrency?: number | 'default';
}

/** `parley workspaces update`: what a workspace is called, whether it may act, and how much at once. */
export function updateWorkspace(context: CliContext): Command {
  const command = new Command('update')
    .description('Rename, enable, disable or bound a workspace, or set the quotas of all of its keys together')
    .argument('<workspace>', 'its name or id')
    .option('--name <name>', 'its new name')
    .addOption(new Option('--status <status>', 'whether its keys may be used').choices(['active', 'disabled']))
    .option('--max-concurrency <number>', 'requests under way at each edge, or `default`', parseConcurrencyOrDefault);
  return addQuotaOptions(command).action(async (asked: string, { name, status, maxConcurrency, ...quotas }: UpdateOptions) => {
    const body = { name, status, max_concurrency: maxConcurrency === 'default' ? null : maxConcurrency, quotas: toQuotaFields(quotas) };
    if (Object.values(body).every((value) => value === undefined)) throw usageError('give --name, --status, --max-concurrency or a quota');
    const gateway = await context.gateway();
    const { id } = await resolveWorkspace(gateway, asked);
    const changed = await gateway.call('PATCH', `/admin/v1/workspaces/${encodeURIComponent(id)}`, workspaceSchema, { body });
    const bound = changed.max_concurrency ?? 'as many as configured';
    context.print(
      changed,
      () => `${changed.name} is ${changed.status}, with ${bound} requests at once at each edge; ${formatQuotas(changed.quotas)}.`,
    );
  });
}
