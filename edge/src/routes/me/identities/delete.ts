import { type z } from 'zod';
import { deleteOidcIdentity as remove } from '../../../store/oidc-identities.ts';
import { type idParams } from '../../admin/fields.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';
import { requireChangeableFactors } from '../second-factors/change-factors.ts';

/** Removes an identity of the signed-in person, unless it is the only way to sign in. */
export async function deleteIdentity(
  { principal, params }: Input<z.output<typeof idParams>>,
  { db }: RouteDeps,
): Promise<Reply<undefined>> {
  const session = requireSession(principal);
  await requireChangeableFactors(db, session);
  await remove(db, session.userId, params.id, toAuditEntry(principal, { action: 'identity.delete', targetId: params.id }));
  return { body: undefined };
}
