import { GatewayError } from '@parley/protos/errors';
import { type QuotaSubjectKind } from '@parley/protos/quotas';
import { type Quota, type QuotaPolicies, toEffectiveQuotas } from '../config/quota-policy.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement, changedFields } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { toDigestBytes } from './digest-bytes.ts';

/** What decides whether a key may be used: the key, its user and its workspace. */
export interface KeyRecord {
  keyId: string;
  workspaceId: string;
  userId: string;
  scopes: string[];
  /** Slug of the internal project that the key is bound to; empty for an unbound key. */
  project: string;
  /** The quotas of the key and of its workspace. */
  quotas: readonly Quota[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  userStatus: string;
  workspaceStatus: string;
  /** Most concurrent requests of its workspace at this edge; null for the configured default. */
  maxConcurrency: number | null;
}

/** A stored API key, without its secret. */
export interface StoredKey {
  id: string;
  workspaceId: string;
  userId: string;
  name: string;
  prefix: string;
  scopes: string[];
  quotaRequests: string | null;
  quotaTokens: string | null;
  quotaAudioSeconds: string | null;
  /** The internal project that it is bound to; null for an unbound key. */
  internalProject: { slug: string } | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  /** True for the hidden key that counts what a user does in a login session; it is in no list and cannot be changed. */
  isPersonal: boolean;
}

/** An API key to store; `digest` is the SHA-256 of the key in base64. */
export type NewKey = Pick<StoredKey, 'id' | 'workspaceId' | 'userId' | 'name' | 'prefix' | 'scopes' | 'expiresAt'> &
  Partial<QuotaChange> & {
    digest: string;
    internalProjectId: string | null;
  };

/** Quotas to set; null restores the default, an absent field is not changed. */
export interface QuotaChange {
  quotaRequests?: string | null;
  quotaTokens?: string | null;
  quotaAudioSeconds?: string | null;
}

/** A page of rows, and the total number of rows. */
export interface OffsetPage<T> {
  rows: T[];
  total: number;
}

/** The columns of `StoredKey`. */
export const KEY_COLUMNS = {
  id: true,
  workspaceId: true,
  userId: true,
  name: true,
  prefix: true,
  scopes: true,
  quotaRequests: true,
  quotaTokens: true,
  quotaAudioSeconds: true,
  internalProject: { select: { slug: true } },
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  createdAt: true,
  isPersonal: true,
} as const;

/** The quota columns of the query: of the key, and of its workspace (`all…`). */
type QuotaColumns = Record<'requests' | 'tokens' | 'audioSeconds' | 'allRequests' | 'allTokens' | 'allAudioSeconds', string | null>;

/** Returns the record of a key, read in one query and thus at one point in time; null for an unknown key. */
export function findKeyRecord(db: Database, digest: string, defaults: Record<QuotaSubjectKind, QuotaPolicies>): Promise<KeyRecord | null> {
  return findKeyRecordWhere(db, Prisma.sql`k.hash = ${toDigestBytes(digest)}`, defaults);
}

/** Returns the record of the key `k` that a condition selects; null when there is none. */
export async function findKeyRecordWhere(
  db: Database,
  which: Prisma.Sql,
  defaults: Record<QuotaSubjectKind, QuotaPolicies>,
): Promise<KeyRecord | null> {
  const rows = await runQuery(
    db.$queryRaw<(Omit<KeyRecord, 'quotas'> & QuotaColumns)[]>`
      SELECT k.id AS "keyId", k.workspace_id AS "workspaceId", k.user_id AS "userId", k.scopes, COALESCE(p.slug, '') AS project,
             k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", u.status AS "userStatus", w.status AS "workspaceStatus",
             w.max_concurrency AS "maxConcurrency",
             k.quota_requests AS requests, k.quota_tokens AS tokens, k.quota_audio_seconds AS "audioSeconds",
             w.quota_requests AS "allRequests", w.quota_tokens AS "allTokens", w.quota_audio_seconds AS "allAudioSeconds"
      FROM api_keys k
      JOIN workspaces w ON w.id = k.workspace_id
      JOIN users u ON u.id = k.user_id
      LEFT JOIN internal_projects p ON p.id = k.internal_project_id
      WHERE ${which}`,
  );
  const [row] = rows;
  if (!row) return null;
  const { requests, tokens, audioSeconds, allRequests, allTokens, allAudioSeconds, ...key } = row;
  const own = toEffectiveQuotas('key', key.keyId, { requests, tokens, audioSeconds }, defaults.key);
  const shared = { requests: allRequests, tokens: allTokens, audioSeconds: allAudioSeconds };
  return { ...key, quotas: [...own, ...toEffectiveQuotas('workspace', key.workspaceId, shared, defaults.workspace)] };
}

/** Returns the key with an id; null when there is none. */
export async function findKeyById(db: Database, id: string): Promise<StoredKey | null> {
  return runQuery(db.apiKey.findUnique({ where: { id }, select: KEY_COLUMNS }));
}

/** Most keys per user that `listKeyIdsOfUser` returns; work of further keys is not shown to the user. */
const MAX_KEYS_OF_USER = 10_000;

/** Returns the ids of the keys of a user in all workspaces. */
export async function listKeyIdsOfUser(db: Database, userId: string): Promise<Set<string>> {
  const rows = await runQuery(db.apiKey.findMany({ where: { userId }, select: { id: true }, take: MAX_KEYS_OF_USER }));
  return new Set(rows.map(({ id }) => id));
}

/** Returns the names of keys by id, those of hidden keys with the name of their user; ids that do not exist are absent. */
export async function listKeyNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const select = { id: true, name: true, isPersonal: true, user: { select: { displayName: true } } } as const;
  const rows = await runQuery(db.apiKey.findMany({ where: { id: { in: [...ids] } }, select }));
  return new Map(rows.map(({ id, name, isPersonal, user }) => [id, isPersonal ? `${user.displayName} (${name})` : name]));
}

/** Stores a new key with its audit entry. @throws GatewayError VALIDATION_ERROR when the user is not a member of the workspace */
export async function insertKey(db: Database, { digest, ...key }: NewKey, audit: AuditEntry): Promise<StoredKey> {
  const { workspaceId, userId } = key;
  const member = await runQuery(db.membership.findUnique({ where: { workspaceId_userId: { workspaceId, userId } } }));
  if (!member) throw new GatewayError('VALIDATION_ERROR', 'the user is not a member of the workspace', { param: 'user_id' });
  const [stored] = await runQuery(
    db.$transaction([db.apiKey.create({ data: { ...key, hash: toDigestBytes(digest) }, select: KEY_COLUMNS }), auditStatement(db, audit)]),
  );
  return stored;
}

/** Renames a key or sets its quotas. @throws GatewayError NOT_FOUND */
export async function updateKey(
  db: Database,
  id: string,
  change: QuotaChange & { name?: string | undefined },
  audit: AuditEntry,
): Promise<StoredKey> {
  return runQuery(
    db.$transaction(async (tx) => {
      const before = await tx.apiKey.findUnique({ where: { id, isPersonal: false }, select: KEY_COLUMNS });
      if (!before) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'id' });
      const key = await tx.apiKey.update({ where: { id }, data: change, select: KEY_COLUMNS });
      await auditStatement(tx, { ...audit, workspaceId: key.workspaceId, details: changedFields(before, key) });
      return key;
    }),
  );
}

/** Revokes a key; does nothing when it is revoked already. @throws GatewayError NOT_FOUND */
export async function revokeKey(db: Database, id: string, audit: AuditEntry): Promise<StoredKey> {
  return runQuery(
    db.$transaction(async (tx) => {
      const where = { id, isPersonal: false };
      const { count } = await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } });
      const key = await tx.apiKey.findUnique({ where, select: KEY_COLUMNS });
      if (!key) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'id' });
      if (count > 0) await auditStatement(tx, { ...audit, workspaceId: key.workspaceId });
      return key;
    }),
  );
}

/** Writes when keys were last used; a later stored time is kept. */
export async function saveKeysLastUsed(db: Database, uses: ReadonlyMap<string, Date>): Promise<void> {
  const ids = [...uses.keys()];
  const times = [...uses.values()];
  await runQuery(
    db.$executeRaw`
      UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, u.at)
      FROM unnest(${ids}::uuid[], ${times}::timestamptz[]) AS u (id, at) WHERE k.id = u.id`,
  );
}
