import { type DatabaseOrTransaction } from './sessions.ts';

/** The authenticator app of a person. */
export interface TotpDevice {
  /** Encrypted; null until a first code was verified. */
  secret: Uint8Array | null;
  /** Encrypted; becomes the secret when its first code is verified. */
  pendingSecret: Uint8Array | null;
}

/** Returns the authenticator app of a user, confirmed or not; null without one. */
export function findTotpDevice(tx: DatabaseOrTransaction, userId: string): Promise<TotpDevice | null> {
  return tx.totpDevice.findUnique({ where: { userId }, select: { secret: true, pendingSecret: true } });
}

/** Stores a secret to be confirmed; replaces an unconfirmed one, and keeps a confirmed one. */
export async function putPendingTotp(tx: DatabaseOrTransaction, userId: string, pendingSecret: Uint8Array<ArrayBuffer>): Promise<void> {
  await tx.totpDevice.upsert({ where: { userId }, create: { userId, pendingSecret }, update: { pendingSecret } });
}

/** Makes the pending secret the secret of the app; `step` is the time step of its first code. */
export async function confirmTotp(tx: DatabaseOrTransaction, userId: string, step: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE totp_devices SET secret = pending_secret, pending_secret = NULL, confirmed_at = now(), last_step = ${BigInt(step)}
    WHERE user_id = ${userId}::uuid AND pending_secret IS NOT NULL`;
}

/** Consumes the code of a time step, and with it all older ones; returns true for only one of several concurrent callers. */
export async function consumeTotpStep(tx: DatabaseOrTransaction, userId: string, step: number): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null }, lastStep: { lt: BigInt(step) } };
  return (await tx.totpDevice.updateMany({ where, data: { lastStep: BigInt(step) } })).count === 1;
}

/** Deletes the app of a user; returns false when there is no confirmed one. */
export async function deleteTotp(tx: DatabaseOrTransaction, userId: string): Promise<boolean> {
  return (await tx.totpDevice.deleteMany({ where: { userId, confirmedAt: { not: null } } })).count === 1;
}
