import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveUser } from '../../gateway/resolve-resources.ts';
import { oneTimeLinkSchema } from '../../gateway/response-schemas.ts';

/** `parley users reset-link`: a link with which a person sets a password; the one before it ends. */
export function createResetLink(context: CliContext): Command {
  return new Command('reset-link')
    .description('Make a link with which a person sets a password, good for 24 hours and one use')
    .argument('<user>', 'email or id of the person')
    .action(async (name: string) => {
      const gateway = await context.gateway();
      const { id, display_name } = await resolveUser(gateway, name);
      const link = await gateway.call('POST', `/admin/v1/users/${encodeURIComponent(id)}/reset-link`, oneTimeLinkSchema);
      context.print(link, () => `Give this link to ${display_name}; it is shown only now and ends ${link.expires_at}:\n${link.url}`);
    });
}
