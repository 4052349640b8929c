import { type InstanceRole } from '../config/roles.ts';
import { runQuery } from './client.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { type Writer } from './sessions.ts';

/** A second factor of a user; recovery codes replace one. */
export type SecondFactor = 'totp' | 'passkey';

/** What a person can show besides a password. */
export interface Factors {
  /** When the authenticator app was confirmed; null without one. */
  totpConfirmedAt: Date | null;
  passkeys: number;
  /** Recovery codes that are left. */
  recoveryCodes: number;
  /** An admin demands a second factor. */
  isRequired: boolean;
}

/** A person whose factors are used or about to change. */
interface LockedPerson {
  isActive: boolean;
  instanceRole: InstanceRole | null;
}

/** The second factors of a person; an authenticator app counts once its first code was right. */
export async function listSecondFactors(db: Writer, userId: string): Promise<SecondFactor[]> {
  const [found] = await runQuery(
    db.$queryRaw<{ totp: boolean; passkey: boolean }[]>`
      SELECT EXISTS (SELECT FROM totp_devices WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL) AS totp,
             EXISTS (SELECT FROM passkeys WHERE user_id = ${userId}::uuid) AS passkey`,
  );
  return (['totp', 'passkey'] as const).filter((factor) => found?.[factor]);
}

/** What a person has; nothing for an unknown one. */
export async function findFactors(tx: Writer, userId: string): Promise<Factors> {
  const user = await runQuery(
    tx.user.findUnique({
      where: { id: userId },
      select: {
        requiresSecondFactor: true,
        totp: { select: { confirmedAt: true } },
        _count: { select: { passkeys: true, recoveryCodes: { where: { usedAt: null } } } },
      },
    }),
  );
  return {
    totpConfirmedAt: user?.totp?.confirmedAt ?? null,
    passkeys: user?._count.passkeys ?? 0,
    recoveryCodes: user?._count.recoveryCodes ?? 0,
    isRequired: user?.requiresSecondFactor ?? false,
  };
}

/** Locks a person until the end of the transaction, so that of two changes the second sees the first; null for an unknown one. */
export async function lockPerson(tx: Writer, userId: string): Promise<LockedPerson | null> {
  const [person] = await tx.$queryRaw<LockedPerson[]>`
    SELECT status = 'active' AS "isActive", instance_role AS "instanceRole"
    FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  return person ?? null;
}

/** Notes that the second factor of a session was shown just now. */
export async function markFactorShown(tx: Writer, sessionId: string): Promise<void> {
  await tx.session.update({ where: { id: sessionId }, data: { factorShownAt: new Date() } });
}

/** When the second factor of a session was last shown; null where it was not, but for its sign-in. */
export async function findFactorShownAt(tx: Writer, sessionId: string): Promise<Date | null> {
  return (await tx.session.findUnique({ where: { id: sessionId }, select: { factorShownAt: true } }))?.factorShownAt ?? null;
}

/** Removes every factor of a person, and the codes that replace one. */
export async function deleteFactors(tx: Writer, userId: string): Promise<void> {
  await tx.totpDevice.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await deleteRecoveryCodes(tx, userId);
}
