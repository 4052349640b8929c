import { z } from 'zod';
import { INSTANCE_ROLES, type InstanceRole, WORKSPACE_ROLES, type WorkspaceRole } from '../config/roles.ts';

/** The roles that have each permission, by permission. */
export const permissionTable = z
  .record(z.string(), z.object({ instance: z.array(z.enum(INSTANCE_ROLES)), workspace: z.array(z.enum(WORKSPACE_ROLES)) }))
  .meta({ id: 'PermissionTable', description: 'The roles that have each permission: for the whole gateway, and in one workspace.' });

type Table = Readonly<Record<string, { readonly instance: readonly InstanceRole[]; readonly workspace: readonly WorkspaceRole[] }>>;

/** Converts the permission table to its JSON form. */
export function toPermissionTable(table: Table): z.input<typeof permissionTable> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { instance, workspace }]) => [name, { instance: [...instance], workspace: [...workspace] }]),
  );
}
