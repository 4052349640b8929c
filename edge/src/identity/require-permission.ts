import { GatewayError } from '@parley/protos/errors';
import { NO_RIGHTS } from '../config/roles.ts';
import { type Principal } from '../middleware/principal.ts';
import { hasPermission, type Permission } from './permissions.ts';

/**
 * Rejects a principal that lacks a permission in a workspace; with undefined, for the whole gateway.
 * @throws GatewayError PERMISSION_DENIED
 */
export function requirePermission({ actor }: Principal, permission: Permission, workspaceId: string | undefined): void {
  if (!hasPermission(actor?.rights ?? NO_RIGHTS, permission, workspaceId)) throw permissionDenied(permission);
}

/** PERMISSION_DENIED for a caller whose role does not include the permission. */
export function permissionDenied(permission: Permission): GatewayError {
  return new GatewayError('PERMISSION_DENIED', `your role does not include ${permission} here`, { param: permission });
}
