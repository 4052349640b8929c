import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { oneTimeLinkSchema } from '../../gateway/response-schemas.ts';

/** `parley users setup-link`: a new link for the first owner; the one before it ends. */
export function createSetupLink(context: CliContext): Command {
  return new Command('setup-link')
    .description('Make the link with which the first owner is made, good for 24 hours and one use')
    .action(async () => {
      const gateway = await context.gateway();
      const link = await gateway.call('POST', '/admin/v1/setup-links', oneTimeLinkSchema);
      context.print(link, () => `Open this link to become the first owner; it is shown only now and ends ${link.expires_at}:\n${link.url}`);
    });
}
