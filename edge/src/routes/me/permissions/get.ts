import { type z } from 'zod';
import { PERMISSIONS } from '../../../identity/permissions.ts';
import { type permissionTable, toPermissionTable } from '../../../wire/permissions.ts';
import { type Reply } from '../../route.ts';

/** Returns the permissions by role; pages use it to hide what would be refused. */
export function getPermissions(): Reply<z.input<typeof permissionTable>> {
  return { body: toPermissionTable(PERMISSIONS) };
}
