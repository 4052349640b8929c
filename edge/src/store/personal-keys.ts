import { uuidv7 } from '@parley/kit/ids/uuid';
import { type QuotaSubjectKind } from '@parley/protos/quotas';
import { randomBytes } from 'node:crypto';
import { type QuotaPolicies } from '../config/quota-policy.ts';
import { SCOPES } from '../config/scopes.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type Database, runQuery } from './client.ts';
import { type KeyRecord, findKeyRecordWhere } from './keys.ts';

/** A user in a workspace; identifies a personal key, or the owner of keys. */
export interface MembershipKey {
  userId: string;
  workspaceId: string;
}

const NAME = 'signed in';
const HASH_BYTES = 32;

/**
 * Returns the hidden key of a user in a workspace, and creates it on first use; null when the user is not a member. It has all current
 * scopes and cannot be revoked; only the membership decides.
 */
export async function findPersonalKey(
  db: Database,
  of: MembershipKey,
  defaults: Record<QuotaSubjectKind, QuotaPolicies>,
): Promise<KeyRecord | null> {
  const read = () => readPersonalKey(db, of, defaults);
  const known = await read();
  if (known) return known;
  await insertPersonalKey(db, of);
  return read();
}

async function readPersonalKey(
  db: Database,
  { userId, workspaceId }: MembershipKey,
  defaults: Record<QuotaSubjectKind, QuotaPolicies>,
): Promise<KeyRecord | null> {
  const isMember = Prisma.sql`EXISTS (SELECT FROM memberships m WHERE m.workspace_id = k.workspace_id AND m.user_id = k.user_id)`;
  const which = Prisma.sql`k.is_personal AND k.user_id = ${userId}::uuid AND k.workspace_id = ${workspaceId}::uuid AND ${isMember}`;
  const key = await findKeyRecordWhere(db, which, defaults);
  return key && { ...key, scopes: [...SCOPES], expiresAt: null, revokedAt: null };
}

/** Stores a personal key; of several concurrent inserts one succeeds. Its hash is random, so no secret matches it. */
async function insertPersonalKey(db: Database, { userId, workspaceId }: MembershipKey): Promise<void> {
  await runQuery(
    db.$executeRaw`
      INSERT INTO api_keys (id, workspace_id, user_id, name, prefix, hash, scopes, is_personal)
      SELECT ${uuidv7()}::uuid, m.workspace_id, m.user_id, ${NAME}, '', ${randomBytes(HASH_BYTES)}, ${[...SCOPES]}::text[], true
      FROM memberships m WHERE m.workspace_id = ${workspaceId}::uuid AND m.user_id = ${userId}::uuid
      ON CONFLICT (workspace_id, user_id) WHERE is_personal DO NOTHING`,
  );
}
