import { Command } from 'commander';
import { type CliContext } from '../../context.ts';
import { nothing } from '../../gateway/client.ts';
import { findServiceAccount } from '../../gateway/find.ts';

/** `parley service-accounts remove`: its tokens end within a second. */
export function removeServiceAccount(context: CliContext): Command {
  return new Command('remove')
    .description('Remove an account; its secret and tokens end at once')
    .argument('<account>', 'its name or id')
    .action(async (given: string) => {
      const gateway = await context.gateway();
      const { id, name } = await findServiceAccount(gateway, given);
      await gateway.call('DELETE', `/admin/v1/service-accounts/${encodeURIComponent(id)}`, nothing);
      context.print({ id, name, removed: true }, () => `Removed ${name}.`);
    });
}
