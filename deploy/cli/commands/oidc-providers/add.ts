import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { oidcProviderSchema } from '../../gateway/response-schemas.ts';
import { toOidcFields, type OidcOptions, addOidcOptions } from '../../input/oidc-options.ts';
import { formatFacts } from '../../output/format-table.ts';
import { toOidcProviderFacts } from '../../output/oidc-provider-facts.ts';

interface AddOptions extends OidcOptions {
  issuer: string;
  clientId: string;
}

const EXAMPLES = `
Register at the provider, below the address that people open: /me/v1/sign-in/oidc/SLUG/callback as redirect URI, /console/sign-in as post-logout redirect
URI, and /me/v1/sign-in/oidc/SLUG/back-channel-logout as back-channel logout URI.

Examples:
  parley oidc-providers add company --issuer https://login.example.com/realms/company --client-id parley --client-secret-stdin < secret.txt
  parley oidc-providers add google --name Google --issuer https://accounts.google.com --client-id ID --client-secret-env SECRET --allow-sign-up --allowed-domains example.com
  parley oidc-providers add staff --issuer https://login.example.com --client-id parley --scopes profile,email,groups --group-claim groups --map staff=member@default --map-instance root=admin`;

/** `parley oidc-providers add`. */
export function addOidcProvider(context: CliContext): Command {
  const command = new Command('add')
    .description('Add a provider; nothing is asked of it before the first sign-in or test')
    .argument('<slug>', 'names it in paths')
    .option('--name <name>', 'as people read it (default: the slug)')
    .requiredOption('--issuer <url>', 'as its discovery document says it (required)')
    .requiredOption('--client-id <id>', 'by which the provider knows this gateway (required)')
    .addHelpText('after', EXAMPLES);
  return addOidcOptions(command).action(async (slug: string, options: AddOptions) => {
    const gateway = await context.gateway();
    const fields = await toOidcFields(options, gateway, context.environment);
    const body = { slug, issuer: options.issuer, ...fields, name: options.name ?? slug };
    const added = await gateway.call('POST', '/admin/v1/oidc-providers', oidcProviderSchema, { body });
    context.print(added, () => formatFacts([['Added', added.slug], ['Id', added.id], ...toOidcProviderFacts(added)]));
  });
}
