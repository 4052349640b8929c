import { type z } from 'zod';
import { listOidcProviders as find } from '../../../store/oidc-providers.ts';
import { type oidcProvider, toOidcProvider } from '../../../wire/oidc-provider.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { type pageQuery } from '../workspaces/list.ts';
import { listSlugsWithClientSecret } from './fields.ts';

/** Returns a page of providers, those of the environment included, by slug. */
export async function listOidcProviders(
  { query }: Input<undefined, z.output<typeof pageQuery>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof oidcProvider>[]>> {
  const { rows, total } = await find(deps.db, deps.identity.oidc.environmentSlugs, query);
  const secrets = listSlugsWithClientSecret(deps);
  return { body: rows.map((row) => toOidcProvider(row, secrets)), headers: pageHeaders('/admin/v1/oidc-providers', {}, query, total) };
}
