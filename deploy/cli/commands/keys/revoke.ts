import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveKey } from '../../gateway/resolve-resources.ts';
import { apiKeySchema } from '../../gateway/response-schemas.ts';

/** `parley keys revoke`: for good, and everywhere within a second. */
export function revokeKey(context: CliContext): Command {
  return new Command('revoke')
    .description('Revoke an API key for good')
    .argument('<key>', 'its id, or its prefix as the list shows it')
    .action(async (name: string) => {
      const gateway = await context.gateway();
      const { id } = await resolveKey(gateway, name);
      const key = await gateway.call('DELETE', `/admin/v1/keys/${encodeURIComponent(id)}`, apiKeySchema);
      context.print(key, () => `Revoked ${key.prefix} (${key.name}).`);
    });
}
