import { type z } from 'zod';
import { deleteOidcProvider as remove } from '../../../store/oidc-providers.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';
import { requireChangeableProvider } from './fields.ts';

/** Deletes a provider with the identities of its users; the users stay. */
export async function deleteOidcProvider(
  { principal, params }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const { slug } = await requireChangeableProvider(deps, params.id);
  await remove(deps.db, params.id, toAuditEntry(principal, { action: 'oidc_provider.delete', targetId: params.id, details: { slug } }));
  return { body: undefined };
}
