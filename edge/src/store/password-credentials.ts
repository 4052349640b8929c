import { runQuery } from './client.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** The password hash and the status of a user. */
export interface PasswordCredentials {
  userId: string;
  email: string | null;
  /** `active` or `disabled`. */
  status: string;
  passwordHash: string | null;
}

const VISIBLE = { id: true, email: true, status: true, passwordHash: true } as const;

/** Returns the credentials of the user with an email, in lower case; null when there is none. */
export async function findPasswordCredentials(db: DatabaseOrTransaction, email: string): Promise<PasswordCredentials | null> {
  const found = await runQuery(db.user.findUnique({ where: { email }, select: VISIBLE }));
  return found && toCredentials(found);
}

/** Returns the credentials of a user by id; null when there is none. */
export async function findPasswordCredentialsById(db: DatabaseOrTransaction, userId: string): Promise<PasswordCredentials | null> {
  const found = await runQuery(db.user.findUnique({ where: { id: userId }, select: VISIBLE }));
  return found && toCredentials(found);
}

/** True while the user is active and still has this hash. Locks the row, so that neither changes until the transaction ends. */
export async function isPasswordHashCurrent(tx: DatabaseOrTransaction, userId: string, passwordHash: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM users WHERE id = ${userId}::uuid AND status = 'active' AND password_hash = ${passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Stores a new hash of the same password, for example with other parameters. */
export async function replacePasswordHash(tx: DatabaseOrTransaction, userId: string, passwordHash: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { passwordHash } });
}

/** Sets a new password and the time of its change. */
export async function setPassword(tx: DatabaseOrTransaction, userId: string, passwordHash: string): Promise<void> {
  await tx.user.update({ where: { id: userId }, data: { passwordHash, passwordChangedAt: new Date() } });
}

function toCredentials({ id, ...rest }: Omit<PasswordCredentials, 'userId'> & { id: string }): PasswordCredentials {
  return { userId: id, ...rest };
}
