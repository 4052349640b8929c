import { NO_RIGHTS } from '../config/roles.ts';
import { maySomewhere, type Permission } from '../identity/permissions.ts';
import { denied } from '../identity/require-permission.ts';
import { type Principal } from '../middleware/principal.ts';

/** Rejects a principal whose roles have a permission nowhere, before anything is read. @throws GatewayError PERMISSION_DENIED */
export function requireSomewhere({ actor }: Principal, permission: Permission): void {
  if (!maySomewhere(actor?.rights ?? NO_RIGHTS, permission)) throw denied(permission);
}
