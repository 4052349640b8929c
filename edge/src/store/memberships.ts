import { GatewayError } from '@parley/protos/errors';
import { type WorkspaceRole } from '../config/roles.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { containsSql, caseFoldSql, USER_SEARCH_SQL } from './search-sql.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** A user with their role in a workspace. */
export interface StoredMember {
  userId: string;
  displayName: string;
  email: string | null;
  /** `active` or `disabled`. */
  status: string;
  role: WorkspaceRole;
}

/** The key of a membership. */
export interface MemberRef {
  workspaceId: string;
  userId: string;
}

/** Checks a change against the current role, null for no member; throws when it is not allowed. */
export type CheckRoleChange = (before: WorkspaceRole | null) => void;

const VISIBLE = { role: true, user: { select: { id: true, displayName: true, email: true, status: true } } } as const;

/** Returns a page of the members of a workspace, by name; with `search`, only those with this text in their name or email. */
export function listMembers(
  db: Database,
  { workspaceId, search }: { workspaceId: string; search?: string | undefined },
  page: PageRequest,
): Promise<ListPage<StoredMember>> {
  const where = [Prisma.sql`m.workspace_id = ${workspaceId}::uuid`, ...(search ? [containsSql(USER_SEARCH_SQL, search)] : [])];
  const order: ListOrder = { name: 'name', by: caseFoldSql(Prisma.sql`u.display_name`), type: 'text' };
  const from = Prisma.sql`memberships m JOIN users u ON u.id = m.user_id`;
  return readListPage(db, { from, where, id: Prisma.sql`m.user_id`, order }, page, async (ids) => {
    const rows = await runQuery(db.membership.findMany({ where: { workspaceId, userId: { in: ids } }, select: VISIBLE }));
    return rows.map((row) => ({ id: row.user.id, ...toStored(row) }));
  });
}

/** Returns a member of a workspace; null when the user is not a member. */
export async function findMember(db: DatabaseOrTransaction, { workspaceId, userId }: MemberRef): Promise<StoredMember | null> {
  const row = await runQuery(db.membership.findUnique({ where: { workspaceId_userId: { workspaceId, userId } }, select: VISIBLE }));
  return row && toStored(row);
}

/**
 * Adds a member or changes the role of one. The keys of a member who becomes a viewer are revoked: viewers may have none.
 * @throws GatewayError NOT_FOUND for an unknown workspace or user, LAST_OWNER; and what `allow` throws
 */
export async function putMember(
  db: Database,
  ref: MemberRef,
  role: WorkspaceRole,
  allow: CheckRoleChange,
  audit: AuditEntry,
): Promise<StoredMember> {
  return runQuery(
    db.$transaction(async (tx) => {
      const before = await lockedRole(tx, ref);
      allow(before);
      if (!before) await assertExist(tx, ref);
      if (before === 'owner' && role !== 'owner') await assertAnotherOwner(tx, ref);
      await tx.membership.upsert({ where: { workspaceId_userId: ref }, create: { ...ref, role }, update: { role } });
      const keys_revoked = role === 'viewer' ? await revokeKeysOf(tx, ref) : 0;
      const member = await tx.membership.findUniqueOrThrow({ where: { workspaceId_userId: ref }, select: VISIBLE });
      await auditStatement(tx, { ...audit, details: { role_before: before, role, keys_revoked } });
      return toStored(member);
    }),
  );
}

/**
 * Ends a membership and revokes the keys of the user in the workspace.
 * @throws GatewayError NOT_FOUND, LAST_OWNER; and what `allow` throws
 */
export async function deleteMember(db: Database, ref: MemberRef, allow: CheckRoleChange, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      const before = await lockedRole(tx, ref);
      allow(before);
      if (!before) throw noMember();
      if (before === 'owner') await assertAnotherOwner(tx, ref);
      await tx.membership.delete({ where: { workspaceId_userId: ref } });
      const keys_revoked = await revokeKeysOf(tx, ref);
      await auditStatement(tx, { ...audit, details: { role_before: before, keys_revoked } });
    }),
  );
}

async function lockedRole(tx: DatabaseOrTransaction, ref: MemberRef): Promise<WorkspaceRole | null> {
  // Locks the workspace, so that two concurrent changes cannot remove its last two owners.
  await tx.$executeRaw`SELECT 1 FROM workspaces WHERE id = ${ref.workspaceId}::uuid FOR UPDATE`;
  const row = await tx.membership.findUnique({ where: { workspaceId_userId: ref }, select: { role: true } });
  return (row?.role as WorkspaceRole | undefined) ?? null;
}

async function assertExist(tx: DatabaseOrTransaction, { workspaceId, userId }: MemberRef): Promise<void> {
  if (!(await tx.workspace.findUnique({ where: { id: workspaceId }, select: { id: true } })))
    throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'workspace_id' });
  if (!(await tx.user.findUnique({ where: { id: userId }, select: { id: true } }))) throw noMember();
}

async function assertAnotherOwner(tx: DatabaseOrTransaction, { workspaceId, userId }: MemberRef): Promise<void> {
  const canSignIn = { status: 'active', email: { not: null } };
  const others = await tx.membership.count({ where: { workspaceId, role: 'owner', userId: { not: userId }, user: canSignIn } });
  if (others === 0) throw new GatewayError('LAST_OWNER', 'the workspace would be without an owner', { param: 'user_id' });
}

/** Revokes the keys of a user in a workspace; returns how many. The personal key is not revoked: without a membership it does not work. */
async function revokeKeysOf(tx: DatabaseOrTransaction, ref: MemberRef): Promise<number> {
  const { count } = await tx.apiKey.updateMany({ where: { ...ref, isPersonal: false, revokedAt: null }, data: { revokedAt: new Date() } });
  return count;
}

function toStored({
  role,
  user: { id, ...user },
}: {
  role: string;
  user: Omit<StoredMember, 'userId' | 'role'> & { id: string };
}): StoredMember {
  return { userId: id, ...user, role: role as WorkspaceRole };
}

function noMember(): GatewayError {
  return new GatewayError('NOT_FOUND', 'no such member', { param: 'user_id' });
}
