import { z } from 'zod';
import { type InstanceRole, NO_RIGHTS, type WorkspaceRole } from '../../../config/roles.ts';
import { requirePermission } from '../../../identity/require-permission.ts';
import { requireWorkspaceRolePermission } from '../../../identity/role-grants.ts';
import { newToken, tokenDigest } from '../../../identity/tokens.ts';
import { type Principal } from '../../../middleware/principal.ts';
import { findServiceAccountRecord } from '../../../store/service-accounts.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input } from '../../route.ts';
import { type idParams } from '../fields.ts';

/** The expiry of a service account, in the future; null or absent for none. */
export const expiry = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time' })
  .refine((value) => Date.parse(value) > Date.now(), 'must lie in the future')
  .nullish();

/** The role of a service account: for the whole gateway, or in one workspace. */
export interface ServiceAccountRole {
  instanceRole: InstanceRole | null;
  workspaceId: string | null;
  workspaceRole: WorkspaceRole | null;
}

/**
 * Rejects a caller who may not grant the role of an account, because they could act with it. Only owners grant a role for the whole
 * gateway, as for users.
 * @throws GatewayError PERMISSION_DENIED
 */
export function requireGrantableAccountRole(principal: Principal, { instanceRole, workspaceId, workspaceRole }: ServiceAccountRole): void {
  if (instanceRole !== null) requirePermission(principal, 'instance_roles.write', undefined);
  if (workspaceId !== null && workspaceRole !== null) {
    requireWorkspaceRolePermission(principal.actor?.rights ?? NO_RIGHTS, workspaceId, workspaceRole, 'service_accounts.write');
  }
}

/** Returns the workspace of the account in a path; undefined for one of the whole gateway, or an unknown one. */
export async function resolveServiceAccountWorkspace(
  { params }: Pick<Input<z.output<typeof idParams>>, 'params'>,
  { db }: RouteDeps,
): Promise<string | undefined> {
  return (await findServiceAccountRecord(db, params.id))?.workspaceId ?? undefined;
}

/** Returns a new secret and its digest; the prefix lets secret scanners recognise it. */
export function createServiceAccountSecret(): { secret: string; digest: string } {
  const secret = `parley_sa_${newToken()}`;
  return { secret, digest: tokenDigest(secret) };
}
