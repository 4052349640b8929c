import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { emptyResponseSchema } from '../../gateway/client.ts';
import { resolveOidcProvider } from '../../gateway/resolve-resources.ts';
import { oidcProviderPath } from './path.ts';

/** `parley oidc-providers remove`: also forgets who its people are. */
export function removeOidcProvider(context: CliContext): Command {
  return new Command('remove')
    .description('Remove a provider, and with it who its people are; `update --disable` keeps that')
    .argument('<provider>', 'its slug or id')
    .action(async (name: string) => {
      const gateway = await context.gateway();
      const { id, slug } = await resolveOidcProvider(gateway, name);
      await gateway.call('DELETE', oidcProviderPath(id), emptyResponseSchema);
      context.print({ id, slug, removed: true }, () => `Removed ${slug}.`);
    });
}
