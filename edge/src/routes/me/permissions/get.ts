import { type z } from 'zod';
import { PERMISSIONS } from '../../../identity/permissions.ts';
import { type permissionTable, toPermissionTable } from '../../../wire/permissions.ts';
import { type Reply } from '../../route.ts';

/** The table of rights, by which a page hides what would be refused. */
export function getPermissions(): Reply<z.input<typeof permissionTable>> {
  return { body: toPermissionTable(PERMISSIONS) };
}
