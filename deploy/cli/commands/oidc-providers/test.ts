import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { resolveOidcProvider } from '../../gateway/resolve-resources.ts';
import { oidcProviderTestSchema } from '../../gateway/response-schemas.ts';
import { oidcProviderPath } from './path.ts';

/** `parley oidc-providers test`: reads its discovery document and its keys; fails when they cannot be read. */
export function testOidcProvider(context: CliContext): Command {
  return new Command('test')
    .description('Read the discovery document and the keys of a provider')
    .argument('<provider>', 'its slug or id')
    .action(async (name: string) => {
      const gateway = await context.gateway();
      const { id, slug } = await resolveOidcProvider(gateway, name);
      const result = await gateway.call('POST', oidcProviderPath(id, '/test'), oidcProviderTestSchema);
      context.failed = !result.ok;
      context.print(result, () =>
        result.ok ? `${slug} works; it publishes ${result.keys} keys.` : `${slug} does not work: ${result.message} [${result.code}]`,
      );
    });
}
