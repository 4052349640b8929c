import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { emptyResponseSchema } from '../../gateway/client.ts';
import { resolveServiceAccount } from '../../gateway/resolve-resources.ts';

/** `parley service-accounts remove`: its tokens end within a second. */
export function removeServiceAccount(context: CliContext): Command {
  return new Command('remove')
    .description('Remove an account; its secret and tokens end at once')
    .argument('<account>', 'its name or id')
    .action(async (given: string) => {
      const gateway = await context.gateway();
      const { id, name } = await resolveServiceAccount(gateway, given);
      await gateway.call('DELETE', `/admin/v1/service-accounts/${encodeURIComponent(id)}`, emptyResponseSchema);
      context.print({ id, name, removed: true }, () => `Removed ${name}.`);
    });
}
