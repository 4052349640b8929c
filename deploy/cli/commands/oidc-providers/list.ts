import { Command } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { oidcProviderSchema } from '../../gateway/response-schemas.ts';
import { formatTable } from '../../output/format-table.ts';

/** `parley oidc-providers list`. */
export function listOidcProviders(context: CliContext): Command {
  return new Command('list').description('List providers, also those of the environment').action(async () => {
    const gateway = await context.gateway();
    const providers = await gateway.listAll('/admin/v1/oidc-providers', oidcProviderSchema);
    const rows = providers.map((one) => [
      ...[one.slug, one.name, one.status, one.issuer, one.client_id, one.allow_sign_up ? 'yes' : 'no'],
      one.is_from_environment ? 'environment' : 'control plane',
    ]);
    context.print(providers, () => formatTable(['slug', 'name', 'status', 'issuer', 'client', 'sign-up', 'set by'], rows));
  });
}
