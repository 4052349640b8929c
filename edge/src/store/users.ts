import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { type Page } from './keys.ts';

/** A person who owns keys. */
export interface StoredUser {
  id: string;
  displayName: string;
  /** `active` or `disabled`. */
  status: string;
  createdAt: Date;
  memberships: { workspaceId: string; role: string }[];
}

const VISIBLE = {
  id: true,
  displayName: true,
  status: true,
  createdAt: true,
  memberships: { select: { workspaceId: true, role: true }, orderBy: { workspaceId: 'asc' } },
} as const;

/** Users, oldest first. */
export async function listUsers(db: Database, page: { limit: number; offset: number }): Promise<Page<StoredUser>> {
  const [rows, total] = await runQuery(
    db.$transaction([
      db.user.findMany({ select: VISIBLE, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: page.limit, skip: page.offset }),
      db.user.count(),
    ]),
  );
  return { rows, total };
}

/** Stores a new user as a member of a workspace. */
export async function insertUser(
  db: Database,
  { id, displayName, workspaceId, role }: { id: string; displayName: string; workspaceId: string; role: string },
  audit: AuditEntry,
): Promise<StoredUser> {
  const data = { id, displayName, memberships: { create: { workspaceId, role } } };
  const [stored] = await runQuery(db.$transaction([db.user.create({ data, select: VISIBLE }), auditStatement(db, audit)]));
  return stored;
}

/** Renames, enables or disables a user. @throws GatewayError NOT_FOUND */
export async function updateUser(
  db: Database,
  id: string,
  change: { displayName?: string | undefined; status?: string | undefined },
  audit: AuditEntry,
): Promise<StoredUser> {
  return runQuery(
    db.$transaction(async (tx) => {
      const { count } = await tx.user.updateMany({ where: { id }, data: change });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such user', { param: 'id' });
      await auditStatement(tx, audit);
      return tx.user.findUniqueOrThrow({ where: { id }, select: VISIBLE });
    }),
  );
}

/** The name of a member of a workspace; undefined for other users. */
export async function findMemberName(db: Database, workspaceId: string, userId: string): Promise<string | undefined> {
  const where = { workspaceId_userId: { workspaceId, userId } };
  const membership = await runQuery(db.membership.findUnique({ where, select: { user: { select: { displayName: true } } } }));
  return membership?.user.displayName;
}

/** Names of people by their ids; who is not known is left out. */
export async function findDisplayNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const users = await runQuery(db.user.findMany({ where: { id: { in: [...ids] } }, select: { id: true, displayName: true } }));
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}
