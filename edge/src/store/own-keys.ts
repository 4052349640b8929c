import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement, changedFields } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type QuotaChange, type StoredKey, KEY_COLUMNS } from './keys.ts';
import { type MembershipKey } from './personal-keys.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** Changes a key of its user; `check` receives the current key and may throw. @throws GatewayError NOT_FOUND, or what `check` throws */
export async function updateOwnKey(
  db: Database,
  of: MembershipKey & { id: string },
  { change, check, audit }: { change: QuotaChange & { name?: string }; check: (key: StoredKey) => void; audit: AuditEntry },
): Promise<StoredKey> {
  return runQuery(
    db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM api_keys WHERE id = ${of.id}::uuid FOR UPDATE`;
      const before = await requireOwnKey(tx, of);
      check(before);
      const key = await tx.apiKey.update({ where: { id: of.id }, data: change, select: KEY_COLUMNS });
      await auditStatement(tx, { ...audit, details: changedFields(before, key) });
      return key;
    }),
  );
}

/** Revokes a key of its user; does nothing when it is revoked already. @throws GatewayError NOT_FOUND */
export async function revokeOwnKey(db: Database, of: MembershipKey & { id: string }, audit: AuditEntry): Promise<StoredKey> {
  return runQuery(
    db.$transaction(async (tx) => {
      const where = { ...ownedBy(of), id: of.id, revokedAt: null };
      const { count } = await tx.apiKey.updateMany({ where, data: { revokedAt: new Date() } });
      const key = await requireOwnKey(tx, of);
      if (count > 0) await auditStatement(tx, audit);
      return key;
    }),
  );
}

async function requireOwnKey(tx: DatabaseOrTransaction, of: MembershipKey & { id: string }): Promise<StoredKey> {
  const key = await tx.apiKey.findFirst({ where: { ...ownedBy(of), id: of.id }, select: KEY_COLUMNS });
  if (!key) throw new GatewayError('NOT_FOUND', 'no such key', { param: 'key_id' });
  return key;
}

function ownedBy({ userId, workspaceId }: MembershipKey) {
  return { userId, workspaceId, isPersonal: false };
}
