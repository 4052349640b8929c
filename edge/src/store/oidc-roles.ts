import { type InstanceRole, type WorkspaceRole } from '../config/roles.ts';
import { type Writer } from './sessions.ts';

/** The roles that a provider gives a person, and what it decides about. */
export interface GrantedRoles {
  /** Workspaces that its mappings name. */
  workspaces: readonly string[];
  /** The role in each workspace where the person has one. */
  roles: ReadonlyMap<string, WorkspaceRole>;
  /** The role for the whole gateway; undefined where no mapping names one. */
  instanceRole?: InstanceRole | null;
}

/** What was changed. */
export interface RoleChange {
  before: string[];
  after: string[];
}

/**
 * Gives a person the roles of the provider in the workspaces that its mappings name, and takes away others there; the same with the role for the whole gateway.
 * The last active owner of the gateway stays one. Returns undefined where nothing changes.
 */
export async function applyRoles(tx: Writer, userId: string, granted: GrantedRoles): Promise<RoleChange | undefined> {
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

async function applyInstanceRole(tx: Writer, userId: string, role: InstanceRole | null | undefined): Promise<void> {
  if (role === undefined) return;
  // Two owners that lose the role at once wait for each other.
  const owners = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM users WHERE instance_role = 'owner' AND status = 'active' ORDER BY id FOR UPDATE`;
  const isLastOwner = owners.length === 1 && owners[0]?.id === userId;
  if (!isLastOwner) await tx.user.update({ where: { id: userId }, data: { instanceRole: role } });
}

async function existing(tx: Writer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return (await tx.workspace.findMany({ where: { id: { in: [...ids] } }, select: { id: true } })).map(({ id }) => id);
}

/** `<workspace>:<role>` of what the provider decides about, and the role for the whole gateway. */
async function rolesOf(tx: Writer, userId: string, { workspaces, instanceRole }: GrantedRoles): Promise<string[]> {
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
