import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { resolveKey } from '../../gateway/resolve-resources.ts';
import { apiKeySchema } from '../../gateway/response-schemas.ts';
import { type QuotaOptions, toQuotaFields, addQuotaOptions } from '../../input/quota-options.ts';
import { formatQuotas } from '../../output/format-quotas.ts';

/** `parley keys update`: what a key is called and how much it may use; everywhere within a second. */
export function updateKey(context: CliContext): Command {
  const command = new Command('update')
    .description('Rename an API key, or set its quotas')
    .argument('<key>', 'its id, or its prefix as the list shows it')
    .option('--name <name>', 'what the key is for');
  return addQuotaOptions(command).action(async (given: string, { name, ...options }: QuotaOptions & { name?: string }) => {
    const quotas = toQuotaFields(options);
    if (name === undefined && quotas === undefined) throw usageError('give --name or a quota');
    const gateway = await context.gateway();
    const { id } = await resolveKey(gateway, given);
    const key = await gateway.call('PATCH', `/admin/v1/keys/${encodeURIComponent(id)}`, apiKeySchema, { body: { name, quotas } });
    context.print(key, () => `${key.prefix} (${key.name}): ${formatQuotas(key.quotas)}.`);
  });
}
