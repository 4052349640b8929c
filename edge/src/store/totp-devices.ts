import { type Writer } from './sessions.ts';

/** The authenticator app of a person. */
export interface TotpDevice {
  /** Encrypted; null until a first code was shown. */
  secret: Uint8Array | null;
  /** Encrypted; becomes the secret with its first code. */
  pendingSecret: Uint8Array | null;
}

/** The authenticator app of a person, confirmed or not; null without one. */
export function findTotpDevice(tx: Writer, userId: string): Promise<TotpDevice | null> {
  return tx.totpDevice.findUnique({ where: { userId }, select: { secret: true, pendingSecret: true } });
}

/** Stores a secret that is to be confirmed, instead of an earlier unconfirmed one; what is confirmed stays. */
export async function putPendingTotp(tx: Writer, userId: string, pendingSecret: Uint8Array<ArrayBuffer>): Promise<void> {
  await tx.totpDevice.upsert({ where: { userId }, create: { userId, pendingSecret }, update: { pendingSecret } });
}

/** Makes the pending secret the one of the app, with the time step of its first code. */
export async function confirmTotp(tx: Writer, userId: string, step: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE totp_devices SET secret = pending_secret, pending_secret = NULL, confirmed_at = now(), last_step = ${BigInt(step)}
    WHERE user_id = ${userId}::uuid AND pending_secret IS NOT NULL`;
}

/** Uses up the code of a time step, and with it all older ones: of any number of callers at once, one gets true. */
export async function useTotpStep(tx: Writer, userId: string, step: number): Promise<boolean> {
  const where = { userId, confirmedAt: { not: null }, lastStep: { lt: BigInt(step) } };
  return (await tx.totpDevice.updateMany({ where, data: { lastStep: BigInt(step) } })).count === 1;
}

/** Removes the app; false without a confirmed one. */
export async function deleteTotp(tx: Writer, userId: string): Promise<boolean> {
  return (await tx.totpDevice.deleteMany({ where: { userId, confirmedAt: { not: null } } })).count === 1;
}
