import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveServiceAccount } from '../../gateway/resolve-resources.ts';
import { serviceAccountWithSecretSchema } from '../../gateway/response-schemas.ts';
import { printNewSecret } from './print-new-secret.ts';

/** `parley service-accounts rotate-secret`: the old secret, and tokens that were made of it, end within a second. */
export function rotateServiceAccountSecret(context: CliContext): Command {
  return new Command('rotate-secret')
    .description('Give an account a new secret, which is shown once; the old one ends at once')
    .argument('<account>', 'its name or id')
    .action(async (name: string) => {
      const gateway = await context.gateway();
      const { id } = await resolveServiceAccount(gateway, name);
      const path = `/admin/v1/service-accounts/${encodeURIComponent(id)}/rotate-secret`;
      printNewSecret(context, await gateway.call('POST', path, serviceAccountWithSecretSchema));
    });
}
