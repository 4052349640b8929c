import { type InstanceRole, type WorkspaceRole } from '../config/roles.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** The roles that the mappings of a provider grant a user, and the workspaces that they cover. */
export interface GrantedRoles {
  /** Ids of the workspaces that the mappings name. */
  workspaces: readonly string[];
  /** The granted role by workspace id. */
  roles: ReadonlyMap<string, WorkspaceRole>;
  /** The role for the whole gateway, null for none; undefined when no mapping names one. */
  instanceRole?: InstanceRole | null;
}

/** The roles before and after, as `<workspace>:<role>`. */
export interface RoleChange {
  before: string[];
  after: string[];
}

/**
 * Sets the roles of a user in the workspaces that the mappings name, and removes others there; likewise the role for the whole gateway. The
 * last active owner of the gateway stays owner. Returns undefined when nothing changes.
 */
export async function applyGrantedRoles(tx: DatabaseOrTransaction, userId: string, granted: GrantedRoles): Promise<RoleChange | undefined> {
  const [before, workspaces] = [await rolesOf(tx, userId, granted), await existing(tx, granted.workspaces)];
  for (const workspaceId of workspaces) {
    const role = granted.roles.get(workspaceId);
    if (role === undefined) await tx.membership.deleteMany({ where: { workspaceId, userId } });
    else
      await tx.membership.upsert({
        where: { workspaceId_userId: { workspaceId, userId } },
        create: { workspaceId, userId, role },
        update: { role },
      });
  }
  await applyInstanceRole(tx, userId, granted.instanceRole);
  const after = await rolesOf(tx, userId, granted);
  return before.join() === after.join() ? undefined : { before, after };
}

async function applyInstanceRole(tx: DatabaseOrTransaction, userId: string, role: InstanceRole | null | undefined): Promise<void> {
  if (role === undefined) return;
  // Locks the owners, so that the last two cannot lose the role at once.
  const owners = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM users WHERE instance_role = 'owner' AND status = 'active' ORDER BY id FOR UPDATE`;
  const isLastOwner = owners.length === 1 && owners[0]?.id === userId;
  if (!isLastOwner) await tx.user.update({ where: { id: userId }, data: { instanceRole: role } });
}

async function existing(tx: DatabaseOrTransaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return (await tx.workspace.findMany({ where: { id: { in: [...ids] } }, select: { id: true } })).map(({ id }) => id);
}

/** Returns `<workspace>:<role>` for the workspaces that the mappings cover, and `gateway:<role>` when they cover that role. */
async function rolesOf(tx: DatabaseOrTransaction, userId: string, { workspaces, instanceRole }: GrantedRoles): Promise<string[]> {
  const { instanceRole: current, memberships } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      instanceRole: true,
      memberships: { where: { workspaceId: { in: [...workspaces] } }, orderBy: { workspaceId: 'asc' } },
    },
  });
  const inWorkspaces = memberships.map(({ workspaceId, role }) => `${workspaceId}:${role}`);
  return instanceRole === undefined || current === null ? inWorkspaces : [...inWorkspaces, `gateway:${current}`];
}
