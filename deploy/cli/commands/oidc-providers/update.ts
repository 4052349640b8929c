import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { usageError } from '../../cli-error.ts';
import { resolveOidcProvider } from '../../gateway/resolve-resources.ts';
import { oidcProviderSchema } from '../../gateway/response-schemas.ts';
import { toOidcFields, type OidcOptions, addOidcOptions } from '../../input/oidc-options.ts';
import { formatFacts } from '../../output/format-table.ts';
import { toOidcProviderFacts } from '../../output/oidc-provider-facts.ts';
import { oidcProviderPath } from './path.ts';

interface UpdateOptions extends OidcOptions {
  public?: boolean;
  enable?: boolean;
  disable?: boolean;
}

const EXAMPLES = `
Mappings, scopes and domains that are given replace all that there are.

Examples:
  parley oidc-providers update company --client-secret-stdin < secret.txt
  parley oidc-providers update company --map staff=member@default --map leads=admin@default
  parley oidc-providers update company --map none --group-claim none
  parley oidc-providers update company --disable`;

/** `parley oidc-providers update`: from the next sign-in on. */
export function updateOidcProvider(context: CliContext): Command {
  const command = new Command('update')
    .description('Change, enable or disable a provider that the environment does not set; its issuer stays')
    .argument('<provider>', 'its slug or id')
    .option('--name <name>', 'as people read it')
    .option('--client-id <id>', 'by which the provider knows this gateway')
    .option('--public', 'forget the client secret')
    .option('--enable', 'people may sign in with it')
    .option('--disable', 'rejects new sign-ins; open sessions stay valid')
    .addHelpText('after', EXAMPLES);
  return addOidcOptions(command).action(async (name: string, options: UpdateOptions) => {
    if (options.enable && options.disable) throw usageError('give either --enable or --disable');
    if (options.public && (options.clientSecretStdin || options.clientSecretEnv !== undefined)) {
      throw usageError('give either --public or a client secret');
    }
    const gateway = await context.gateway();
    const change = {
      ...(await toOidcFields(options, gateway, context.environment)),
      ...(options.public && { client_secret: null }),
      ...((options.enable || options.disable) && { status: options.enable ? 'active' : 'disabled' }),
    };
    if (Object.values<unknown>(change).every((value) => value === undefined)) throw usageError('give at least one option');
    const { id } = await resolveOidcProvider(gateway, name);
    const changed = await gateway.call('PATCH', oidcProviderPath(id), oidcProviderSchema, { body: change });
    context.print(changed, () => formatFacts([['Changed', changed.slug], ...toOidcProviderFacts(changed)]));
  });
}
