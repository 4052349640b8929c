import { uuidv7 } from '@parley/kit/ids/uuid';
import { bytesOf } from './digest-bytes.ts';
import { type Writer } from './sessions.ts';

/** Stores recovery codes by their digests; the earlier ones of the person end. */
export async function replaceRecoveryCodes(tx: Writer, userId: string, digests: readonly string[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.recoveryCode.createMany({ data: digests.map((digest) => ({ id: uuidv7(), userId, digest: bytesOf(digest) })) });
}

/** Uses up a recovery code: of any number of callers at once, one gets true. */
export async function useRecoveryCode(tx: Writer, userId: string, digest: string): Promise<boolean> {
  const where = { userId, digest: bytesOf(digest), usedAt: null };
  return (await tx.recoveryCode.updateMany({ where, data: { usedAt: new Date() } })).count === 1;
}

/** Ends every recovery code of a person. */
export async function deleteRecoveryCodes(tx: Writer, userId: string): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } });
}
