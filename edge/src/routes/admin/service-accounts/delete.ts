import { type z } from 'zod';
import { deleteServiceAccount as remove } from '../../../store/service-accounts.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';
import { requireGrantableAccountRole } from './fields.ts';

/** Deletes a service account; its tokens become invalid within a second. */
export async function deleteServiceAccount(
  { principal, params }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<undefined>> {
  const audit = toAuditEntry(principal, { action: 'service_account.delete', targetId: params.id });
  await remove(deps.db, params.id, (account) => requireGrantableAccountRole(principal, account), audit);
  invalidateEverywhere(deps, params.id);
  return { body: undefined };
}
