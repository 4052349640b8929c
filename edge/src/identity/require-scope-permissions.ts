import { type Scope } from '../config/scopes.ts';
import { type Principal } from '../middleware/principal.ts';
import { type Permission } from './permissions.ts';
import { requirePermission } from './require-permission.ts';

/** The permission that a user needs before one of their keys may have a scope. */
const NEEDED: Readonly<Record<Scope, Permission>> = {
  chat: 'data.write',
  conversations: 'data.write',
  audio: 'data.write',
  'actions:read': 'data.read',
  'actions:run': 'data.write',
};

/** Rejects scopes for which the caller lacks the permission in the workspace. @throws GatewayError PERMISSION_DENIED */
export function requireScopePermissions(caller: Principal, workspaceId: string, scopes: readonly Scope[]): void {
  for (const scope of scopes) requirePermission(caller, NEEDED[scope], workspaceId);
}
