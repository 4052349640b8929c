import { type InstanceRole } from '../config/roles.ts';
import { runQuery } from './client.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** A kind of second factor; recovery codes are a substitute for one. */
export type SecondFactorKind = 'totp' | 'passkey';

/** The second factors and recovery codes of a user. */
export interface SecondFactors {
  /** When the authenticator app was confirmed; null without one. */
  totpConfirmedAt: Date | null;
  passkeys: number;
  /** Number of unused recovery codes. */
  recoveryCodes: number;
  /** True when an admin requires a second factor. */
  isRequired: boolean;
}

/** The state of a user whose row is locked. */
interface LockedPerson {
  isActive: boolean;
  instanceRole: InstanceRole | null;
}

/** Returns the kinds of second factor of a user; an authenticator app counts once its first code was verified. */
export async function listSecondFactorKinds(db: DatabaseOrTransaction, userId: string): Promise<SecondFactorKind[]> {
  const [found] = await runQuery(
    db.$queryRaw<{ totp: boolean; passkey: boolean }[]>`
      SELECT EXISTS (SELECT FROM totp_devices WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL) AS totp,
             EXISTS (SELECT FROM passkeys WHERE user_id = ${userId}::uuid) AS passkey`,
  );
  return (['totp', 'passkey'] as const).filter((factor) => found?.[factor]);
}

/** Returns the factors of a user; none for an unknown user. */
export async function readSecondFactors(tx: DatabaseOrTransaction, userId: string): Promise<SecondFactors> {
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

/** Locks a user until the transaction ends, so that concurrent changes run one after the other; null for an unknown user. */
export async function lockUser(tx: DatabaseOrTransaction, userId: string): Promise<LockedPerson | null> {
  const [person] = await tx.$queryRaw<LockedPerson[]>`
    SELECT status = 'active' AS "isActive", instance_role AS "instanceRole"
    FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  return person ?? null;
}

/** Records that the second factor of a session was presented just now. */
export async function recordFactorPresented(tx: DatabaseOrTransaction, sessionId: string): Promise<void> {
  await tx.session.update({ where: { id: sessionId }, data: { factorShownAt: new Date() } });
}

/** Returns when the second factor of a session was last presented after the sign-in; null when it was not. */
export async function findFactorPresentedAt(tx: DatabaseOrTransaction, sessionId: string): Promise<Date | null> {
  return (await tx.session.findUnique({ where: { id: sessionId }, select: { factorShownAt: true } }))?.factorShownAt ?? null;
}

/** Deletes all second factors and recovery codes of a user. */
export async function deleteAllSecondFactors(tx: DatabaseOrTransaction, userId: string): Promise<void> {
  await tx.totpDevice.deleteMany({ where: { userId } });
  await tx.passkey.deleteMany({ where: { userId } });
  await deleteRecoveryCodes(tx, userId);
}
