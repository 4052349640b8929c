import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { INSTANCE_ROLES, WORKSPACE_ROLES } from '../../../config/roles.ts';
import { type ServiceAccountChange, type StoredServiceAccount, updateServiceAccount as update } from '../../../store/service-accounts.ts';
import { activeStatus } from '../../../wire/admin.ts';
import { type serviceAccount, toServiceAccount } from '../../../wire/service-account.ts';
import { toAuditEntry } from '../../audit-entry.ts';
import { type RouteDeps } from '../../deps.ts';
import { name } from '../../fields.ts';
import { invalidateEverywhere } from '../../invalidate-everywhere.ts';
import { type Input, type Reply } from '../../route.ts';
import { type idParams, hasDefinedField } from '../fields.ts';
import { requireGrantableAccountRole, expiry } from './fields.ts';

/** The body of a change of a service account; it cannot change between a role for the gateway and one in a workspace. */
export const updateServiceAccountBody = z
  .object({
    name: name.optional(),
    status: activeStatus.optional(),
    instance_role: z.enum(INSTANCE_ROLES).optional(),
    workspace_role: z.enum(WORKSPACE_ROLES).optional(),
    expires_at: expiry,
  })
  .refine(hasDefinedField, 'at least one field is required')
  .meta({ id: 'ServiceAccountChange' });

type Change = z.output<typeof updateServiceAccountBody>;

/** Changes the name, the status, the role or the expiry of a service account; in effect for its tokens within a second. */
export async function updateServiceAccount(
  { principal, params, body }: Input<z.output<typeof idParams>, undefined, Change>,
  deps: RouteDeps,
): Promise<Reply<z.input<typeof serviceAccount>>> {
  const { name: called, status, instance_role, workspace_role } = body;
  const details = { changed: Object.keys(body), status: status ?? null, role: instance_role ?? workspace_role ?? null };
  const audit = toAuditEntry(principal, {
    action: 'service_account.update',
    targetId: params.id,
    details: { ...details, name: called ?? null },
  });
  const allow = (account: StoredServiceAccount) => {
    requireGrantableAccountRole(principal, account);
    requireGrantableAccountRole(principal, withRole(account, body));
  };
  const stored = await update(deps.db, params.id, toChange(body), allow, audit);
  invalidateEverywhere(deps, stored.id);
  return { body: toServiceAccount(stored) };
}

function withRole(account: StoredServiceAccount, { instance_role, workspace_role }: Change): StoredServiceAccount {
  const param = account.workspaceId === null ? 'workspace_role' : 'instance_role';
  if ((account.workspaceId === null ? workspace_role : instance_role) !== undefined) {
    throw new GatewayError('VALIDATION_ERROR', `${param}: the account has a role of the other kind`, { param });
  }
  return { ...account, instanceRole: instance_role ?? account.instanceRole, workspaceRole: workspace_role ?? account.workspaceRole };
}

function toChange({ name: called, status, instance_role, workspace_role, expires_at }: Change): ServiceAccountChange {
  return {
    ...(called !== undefined && { name: called }),
    ...(status !== undefined && { status }),
    ...(instance_role !== undefined && { instanceRole: instance_role }),
    ...(workspace_role !== undefined && { workspaceRole: workspace_role }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
  };
}
