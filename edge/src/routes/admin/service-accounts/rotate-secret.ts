import { type z } from 'zod';
import { updateServiceAccount } from '../../../store/service-accounts.ts';
import { type createdServiceAccount, toServiceAccount } from '../../../wire/service-account.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams } from '../fields.ts';
import { requireGrantableAccountRole, createServiceAccountSecret } from './fields.ts';

/** Replaces the secret of a service account; the old one, and tokens that were exchanged for it, become invalid within a second. */
export async function rotateServiceAccountSecret(
  { principal, params }: Input<z.output<typeof idParams>>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof createdServiceAccount>>> {
  const { secret, digest } = createServiceAccountSecret();
  const audit = toAuditEntry(principal, { action: 'service_account.rotate_secret', targetId: params.id });
  const stored = await updateServiceAccount(
    deps.db,
    params.id,
    { digest },
    (account) => requireGrantableAccountRole(principal, account),
    audit,
  );
  invalidateEverywhere(deps, stored.id);
  return { body: { ...toServiceAccount(stored), client_secret: secret }, headers: { 'cache-control': 'no-store' } };
}
