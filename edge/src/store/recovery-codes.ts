import { uuidv7 } from '@parley/kit/ids/uuid';
import { toDigestBytes } from './digest-bytes.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** Stores the digests of new recovery codes and deletes the earlier ones of the user. */
export async function replaceRecoveryCodes(tx: DatabaseOrTransaction, userId: string, digests: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.recoveryCode.createMany({ data: digests.map((digest) => ({ id: uuidv7(), userId, digest: toDigestBytes(digest) })) });
}

/** Consumes a recovery code; returns true for only one of several concurrent callers. */
export async function consumeRecoveryCode(tx: DatabaseOrTransaction, userId: string, digest: string): Promise<boolean> {
  const where = { userId, digest: toDigestBytes(digest), usedAt: null };
  return (await tx.recoveryCode.updateMany({ where, data: { usedAt: new Date() } })).count === 1;
}

/** Deletes all recovery codes of a user. */
export async function deleteRecoveryCodes(tx: DatabaseOrTransaction, userId: string): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
}
