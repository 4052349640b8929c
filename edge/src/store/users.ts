import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type InstanceRole } from '../config/roles.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement, changedFields } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { countOtherOwners, lockOwners } from './owners.ts';
import { throwEmailTaken } from './people.ts';
import { containsSql, USER_SEARCH_SQL } from './search-sql.ts';
import { revokeSessions } from './sessions.ts';

/** A user, who can sign in or only owns keys. */
export interface StoredUser {
  id: string;
  displayName: string;
  /** In lower case; null for a user who only owns keys. */
  email: string | null;
  /** `active` or `disabled`. */
  status: string;
  /** Role for the whole gateway. */
  instanceRole: InstanceRole | null;
  requiresSecondFactor: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
  memberships: { workspaceId: string; role: string }[];
}

/** The fields to change; undefined ones stay. */
export interface UserChange {
  displayName?: string | undefined;
  email?: string | undefined;
  status?: string | undefined;
  requiresSecondFactor?: boolean | undefined;
  instanceRole?: InstanceRole | null | undefined;
}

const VISIBLE = {
  ...{ id: true, displayName: true, email: true, status: true, createdAt: true },
  ...{ instanceRole: true, requiresSecondFactor: true, lastSignInAt: true },
  memberships: { select: { workspaceId: true, role: true }, orderBy: { workspaceId: 'asc' } },
} as const;

/** The filter of a list of users. */
interface UserFilter {
  /** A part of a name or an email. */
  search?: string | undefined;
  status?: string | undefined;
  instanceRole?: InstanceRole | undefined;
}

/** Returns a page of users, oldest first. */
export function listUsers(db: Database, { search, status, instanceRole }: UserFilter, page: PageRequest): Promise<ListPage<StoredUser>> {
  const where = [
    ...(status === undefined ? [] : [Prisma.sql`u.status = ${status}`]),
    ...(instanceRole === undefined ? [] : [Prisma.sql`u.instance_role = ${instanceRole}`]),
    ...(search ? [isUuid(search) ? Prisma.sql`u.id = ${search}::uuid` : containsSql(USER_SEARCH_SQL, search)] : []),
  ];
  const order: ListOrder = { name: 'created_at', by: Prisma.sql`u.created_at`, type: 'time' };
  return readListPage(db, { from: Prisma.sql`users u`, where, id: Prisma.sql`u.id`, order }, page, async (ids) =>
    (await runQuery(db.user.findMany({ where: { id: { in: ids } }, select: VISIBLE }))).map(toStored),
  );
}

/** Returns the user with an id; null when there is none. */
export async function findUser(db: Database, id: string): Promise<StoredUser | null> {
  const row = await runQuery(db.user.findUnique({ where: { id }, select: VISIBLE }));
  return row && toStored(row);
}

/** Stores a new user with a membership. @throws GatewayError EMAIL_TAKEN */
export async function insertUser(
  db: Database,
  { workspaceId, role, ...user }: { id: string; displayName: string; email: string | null; workspaceId: string; role: string },
  audit: AuditEntry,
): Promise<StoredUser> {
  const data = { ...user, memberships: { create: { workspaceId, role } } };
  const [stored] = await runQuery(
    db.$transaction([db.user.create({ data, select: VISIBLE }), auditStatement(db, audit)]).catch(throwEmailTaken),
  );
  return toStored(stored);
}

/**
 * Changes a user; `allow` receives the current user and may throw. The sessions of a user who is disabled are revoked, and their ids
 * returned.
 * @throws GatewayError NOT_FOUND, EMAIL_TAKEN, LAST_OWNER; and what `allow` throws
 */
export async function updateUser(
  db: Database,
  id: string,
  change: UserChange,
  { audit, allow }: { audit: AuditEntry; allow: (target: { instanceRole: string | null }) => void },
): Promise<{ user: StoredUser; ended: string[] }> {
  return runQuery(
    db.$transaction(async (tx) => {
      // The number of other owners must not change between the check and the change.
      await lockOwners(tx);
      const target = await tx.user.findUnique({ where: { id }, select: VISIBLE });
      if (!target) throw new GatewayError('NOT_FOUND', 'no such user', { param: 'id' });
      allow(target);
      const { instanceRole = target.instanceRole, status = target.status } = change;
      if (isOwner(target) && !isOwner({ instanceRole, status }) && (await countOtherOwners(tx, id)) === 0) {
        throw new GatewayError('LAST_OWNER', 'the gateway would be without an owner', { param: 'id' });
      }
      const user = await tx.user.update({ where: { id }, data: change, select: VISIBLE }).catch(throwEmailTaken);
      const ended = status === 'disabled' ? await revokeSessions(tx, id) : [];
      await auditStatement(tx, { ...audit, details: changedFields(target, user) });
      return { user: toStored(user), ended };
    }),
  );
}

function isOwner({ instanceRole, status }: { instanceRole: string | null; status: string }): boolean {
  return instanceRole === 'owner' && status === 'active';
}

function toStored(row: Omit<StoredUser, 'instanceRole'> & { instanceRole: string | null }): StoredUser {
  return { ...row, instanceRole: row.instanceRole as InstanceRole | null };
}

/** Returns the display name of a member of a workspace; undefined for other users. */
export async function findMemberName(db: Database, workspaceId: string, userId: string): Promise<string | undefined> {
  const where = { workspaceId_userId: { workspaceId, userId } };
  const membership = await runQuery(db.membership.findUnique({ where, select: { user: { select: { displayName: true } } } }));
  return membership?.user.displayName;
}

/** Returns the display names of users by id; unknown ids are absent. */
export async function findDisplayNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const users = await runQuery(db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, displayName: true } }));
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}
