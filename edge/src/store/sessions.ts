import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import { type Database, runQuery } from './client.ts';
import { toDigestBytes } from './digest-bytes.ts';
import { type OffsetPage } from './keys.ts';

/** How a session was started. */
export type SessionMethod = 'password' | 'passkey' | 'oidc' | 'setup' | 'invitation';

/** What decides about requests with a session: the session, its user and the user's rights. */
export interface SessionRecord {
  sessionId: string;
  userId: string;
  displayName: string;
  email: string | null;
  userStatus: string;
  /** True when an admin requires a second factor. */
  requiresSecondFactor: boolean;
  method: SessionMethod;
  /** True when two factors were presented. */
  isStrong: boolean;
  rights: Rights;
  createdAt: Date;
  lastSeenAt: Date;
  /** The absolute expiry, independent of use. */
  expiresAt: Date;
  revokedAt: Date | null;
}

/** A session to store; `digest` is the SHA-256 of its token in base64. */
export interface NewSession {
  id: string;
  digest: string;
  userId: string;
  method: SessionMethod;
  isStrong: boolean;
  address: string;
  userAgent: string;
  expiresAt: Date;
  providerId?: string;
  /** The ID token, encrypted. */
  idToken?: Uint8Array<ArrayBuffer>;
  /** The `sub` of the ID token. */
  oidcSubject?: string;
  /** The `sid` of the ID token: the session at the provider. */
  oidcSid?: string;
}

/** The fields of a session that result from how the user was authenticated. */
export type SessionAuthentication = Pick<
  NewSession,
  'userId' | 'method' | 'isStrong' | 'providerId' | 'idToken' | 'oidcSubject' | 'oidcSid'
>;

/** A session in the list of its user. */
export type StoredSession = Pick<SessionRecord, 'method' | 'isStrong' | 'createdAt' | 'lastSeenAt' | 'expiresAt'> &
  Pick<NewSession, 'id' | 'address' | 'userAgent'>;

/** The Prisma client or a transaction of it; for functions that run in both. */
export type DatabaseOrTransaction = Omit<Database, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends' | '$use'>;

const PERSON = {
  displayName: true,
  email: true,
  status: true,
  instanceRole: true,
  requiresSecondFactor: true,
  memberships: { select: { workspaceId: true, role: true }, where: { workspace: { status: 'active' } } },
} as const;

const SHOWN = {
  ...{ id: true, method: true, isStrong: true, address: true, userAgent: true },
  ...{ createdAt: true, lastSeenAt: true, expiresAt: true },
} as const;

/** Returns a session by the digest of its token, with the current data of its user; null for an unknown one. */
export function findSession(db: DatabaseOrTransaction, digest: string): Promise<SessionRecord | null> {
  return findOne(db, { digest: toDigestBytes(digest) });
}

/** Returns a session by its id, with the current data of its user; null for an unknown one. */
export function findSessionById(db: DatabaseOrTransaction, id: string): Promise<SessionRecord | null> {
  return findOne(db, { id });
}

async function findOne(
  db: DatabaseOrTransaction,
  where: { digest: Uint8Array<ArrayBuffer> } | { id: string },
): Promise<SessionRecord | null> {
  const row = await runQuery(db.session.findUnique({ where, include: { user: { select: PERSON } } }));
  if (!row) return null;
  const { user } = row;
  return {
    sessionId: row.id,
    userId: row.userId,
    displayName: user.displayName,
    email: user.email,
    userStatus: user.status,
    requiresSecondFactor: user.requiresSecondFactor,
    method: row.method as SessionMethod,
    isStrong: row.isStrong,
    rights: toRights(user),
    createdAt: row.createdAt,
    lastSeenAt: row.lastSeenAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
  };
}

/** Stores a session and the time of the sign-in; `tx` may be the transaction of the sign-in, such as the use of a link. */
export async function insertSession(tx: DatabaseOrTransaction, { digest, ...session }: NewSession): Promise<void> {
  await tx.session.create({ data: { ...session, digest: toDigestBytes(digest) } });
  await tx.user.update({ where: { id: session.userId }, data: { lastSignInAt: new Date() } });
}

/** Replaces the token of a session that is not revoked; returns false when there is none. */
export async function replaceSessionToken(
  tx: DatabaseOrTransaction,
  before: string,
  { digest, ...change }: { digest: string; isStrong?: true },
): Promise<boolean> {
  const { count } = await tx.session.updateMany({
    where: { digest: toDigestBytes(before), revokedAt: null },
    data: { digest: toDigestBytes(digest), ...change },
  });
  return count > 0;
}

/** Returns a page of the open sessions of a user, last used first. */
export async function listSessions(
  db: Database,
  userId: string,
  { idleMs, limit, offset }: { idleMs: number; limit: number; offset: number },
): Promise<OffsetPage<StoredSession>> {
  const now = Date.now();
  const where = { userId, revokedAt: null, expiresAt: { gt: new Date(now) }, lastSeenAt: { gt: new Date(now - idleMs) } };
  const [rows, total] = await runQuery(
    db.$transaction([
      db.session.findMany({ where, select: SHOWN, orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.session.count({ where }),
    ]),
  );
  return { rows: rows as StoredSession[], total };
}

/** Revokes the sessions of a user, all or those with these ids, without `except`; returns the ids of those that were not revoked before. */
export async function revokeSessions(
  tx: DatabaseOrTransaction,
  userId: string,
  { ids, except }: { ids?: readonly string[]; except?: string } = {},
): Promise<string[]> {
  const rows = await tx.session.updateManyAndReturn({
    where: { userId, revokedAt: null, id: { ...(ids && { in: [...ids] }), ...(except !== undefined && { not: except }) } },
    data: { revokedAt: new Date() },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Writes when sessions were last used; a later stored time is kept. */
export async function saveSessionsLastSeen(db: Database, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = [...uses.keys()];
  const times = [...uses.values()];
  await runQuery(
    db.$executeRaw`
      UPDATE sessions s SET last_seen_at = GREATEST(s.last_seen_at, u.at)
      FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE s.id = u.id`,
  );
}

/** Converts the role columns of a user to rights. */
export function toRights(user: { instanceRole: string | null; memberships: readonly { workspaceId: string; role: string }[] }): Rights {
  return {
    instanceRole: user.instanceRole as InstanceRole | null,
    memberships: user.memberships.map(({ workspaceId, role }) => ({ workspaceId, role: role as WorkspaceRole })),
  };
}
