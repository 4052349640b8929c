import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { secretRotationSchema } from '../../gateway/response-schemas.ts';

/** `parley connections rotate-secrets`: to be run after a new key was put first in PARLEY_SECRET_KEYS. */
export function rotateSecrets(context: CliContext): Command {
  return new Command('rotate-secrets')
    .description('Encrypt every stored secret with the first key of PARLEY_SECRET_KEYS')
    .action(async () => {
      const gateway = await context.gateway();
      const done = await gateway.call('POST', '/admin/v1/connections/rotate-secrets', secretRotationSchema);
      context.print(done, () => `${done.rotated} secrets encrypted anew; all of them are under key ${done.key_id} now.`);
    });
}
