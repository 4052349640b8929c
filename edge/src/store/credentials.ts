import { runQuery } from './client.ts';
import { type Writer } from './sessions.ts';

/** What a password is verified against. */
export interface Credentials {
  userId: string;
  email: string | null;
  /** `active` or `disabled`. */
  status: string;
  passwordHash: string | null;
}

const VISIBLE = { id: true, email: true, status: true, passwordHash: true } as const;

/** The user with an email; null for none. */
export async function findCredentials(db: Writer, email: string): Promise<Credentials | null> {
  const found = await runQuery(db.user.findUnique({ where: { email }, select: VISIBLE }));
  return found && toCredentials(found);
}

/** The same by the id of the person. */
export async function findCredentialsById(db: Writer, userId: string): Promise<Credentials | null> {
  const found = await runQuery(db.user.findUnique({ where: { id: userId }, select: VISIBLE }));
  return found && toCredentials(found);
}

/** True while the person is active and still has this hash: neither was changed while the password was verified, nor can be until the transaction ends. */
export async function areCurrent(tx: Writer, userId: string, passwordHash: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM users WHERE id = ${userId}::uuid AND status = 'active' AND password_hash = ${passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** The same password, hashed with other parameters. */
export async function replaceHash(tx: Writer, userId: string, passwordHash: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { passwordHash } });
}

/** Sets a new password. */
export async function setPassword(tx: Writer, userId: string, passwordHash: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { passwordHash, passwordChangedAt: new Date() } });
}

function toCredentials({ id, ...rest }: Omit<Credentials, 'userId'> & { id: string }): Credentials {
  return { userId: id, ...rest };
}
