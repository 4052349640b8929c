import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import { type Database, runQuery } from './client.ts';
import { bytesOf } from './digest-bytes.ts';
import { type Page } from './keys.ts';

/** How a session was begun. */
export type SessionMethod = 'password' | 'passkey' | 'oidc' | 'setup' | 'invitation';

/** What decides about requests with a session: the session, its person and what that person may. */
export interface SessionRecord {
  sessionId: string;
  userId: string;
  displayName: string;
  email: string | null;
  userStatus: string;
  /** An admin demands a second factor. */
  requiresSecondFactor: boolean;
  method: SessionMethod;
  /** Two factors were shown. */
  isStrong: boolean;
  rights: Rights;
  createdAt: Date;
  lastSeenAt: Date;
  /** The absolute end. */
  expiresAt: Date;
  revokedAt: Date | null;
}

/** A session to store. */
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
  /** Encrypted. */
  idToken?: Uint8Array<ArrayBuffer>;
  /** The `sub` of the ID token. */
  oidcSubject?: string;
  /** Its `sid`: the session at the provider. */
  oidcSid?: string;
}

/** What the proof of a person decides of a session. */
export type SessionProof = Pick<NewSession, 'userId' | 'method' | 'isStrong' | 'providerId' | 'idToken' | 'oidcSubject' | 'oidcSid'>;

/** A session as its person sees it in a list. */
export type StoredSession = Pick<SessionRecord, 'method' | 'isStrong' | 'createdAt' | 'lastSeenAt' | 'expiresAt'> &
  Pick<NewSession, 'id' | 'address' | 'userAgent'>;

/** What a transaction and the client have in common. */
export type Writer = Omit<Database, '$transaction' | '$connect' | '$disconnect' | '$on' | '$extends' | '$use'>;

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

/** A session by the digest of its token, with the person as of now; null for an unknown one. */
export function findSession(db: Writer, digest: string): Promise<SessionRecord | null> {
  return findOne(db, { digest: bytesOf(digest) });
}

/** The same by its id. */
export function findSessionById(db: Writer, id: string): Promise<SessionRecord | null> {
  return findOne(db, { id });
}

async function findOne(db: Writer, where: { digest: Uint8Array<ArrayBuffer> } | { id: string }): Promise<SessionRecord | null> {
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

/** Stores a session; `tx` where it belongs to a change, such as the use of a link. */
export async function insertSession(tx: Writer, { digest, ...session }: NewSession): Promise<void> {
  await tx.session.create({ data: { ...session, digest: bytesOf(digest) } });
  await tx.user.update({ where: { id: session.userId }, data: { lastSignInAt: new Date() } });
}

/** Replaces the token of an open session. Returns whether there was one. */
export async function renewSession(
  tx: Writer,
  before: string,
  { digest, ...change }: { digest: string; isStrong?: true },
): Promise<boolean> {
  const { count } = await tx.session.updateMany({
    where: { digest: bytesOf(before), revokedAt: null },
    data: { digest: bytesOf(digest), ...change },
  });
  return count > 0;
}

/** Open sessions of a person, the last used first. */
export async function listSessions(
  db: Database,
  userId: string,
  { idleMs, limit, offset }: { idleMs: number; limit: number; offset: number },
): Promise<Page<StoredSession>> {
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

/** Revokes sessions of a person, all or those with these ids, but not `except`; returns the ids of those that were open. */
export async function revokeSessions(
  tx: Writer,
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

/** Writes when sessions were last used, never moving a time back. */
export async function saveLastSeen(db: Database, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = [...uses.keys()];
  const times = [...uses.values()];
  await runQuery(
    db.$executeRaw`
      UPDATE sessions s SET last_seen_at = GREATEST(s.last_seen_at, u.at)
      FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE s.id = u.id`,
  );
}

/** Rights as the rows of a person say them. */
export function toRights(user: { instanceRole: string | null; memberships: readonly { workspaceId: string; role: string }[] }): Rights {
  return {
    instanceRole: user.instanceRole as InstanceRole | null,
    memberships: user.memberships.map(({ workspaceId, role }) => ({ workspaceId, role: role as WorkspaceRole })),
  };
}
