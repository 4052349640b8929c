import { type DatabaseOrTransaction } from './sessions.ts';

/** A stored passkey, without its public key. */
export interface StoredPasskey {
  id: string;
  name: string;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The stored credential that an assertion is verified with. */
export interface PasskeyCredential {
  id: string;
  userId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
}

/** A passkey to store. */
export interface NewPasskey extends PasskeyCredential {
  credentialId: Uint8Array<ArrayBuffer>;
  name: string;
}

const VISIBLE = { id: true, name: true, transports: true, createdAt: true, lastUsedAt: true } as const;

/** Stores a passkey; returns null when its credential is already stored, for any user. */
export async function insertPasskey(tx: DatabaseOrTransaction, { counter, ...passkey }: NewPasskey): Promise<StoredPasskey | null> {
  const [stored] = await tx.passkey.createManyAndReturn({
    data: [{ ...passkey, counter: BigInt(counter) }],
    skipDuplicates: true,
    select: VISIBLE,
  });
  return stored ?? null;
}

/** Returns the passkeys of a user, oldest first. */
export function listPasskeys(tx: DatabaseOrTransaction, userId: string): Promise<StoredPasskey[]> {
  return tx.passkey.findMany({ where: { userId }, select: VISIBLE, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** Returns the credential ids of a user in base64url, with their transports, so that an authenticator is not registered twice. */
export async function listPasskeyCredentialIds(tx: DatabaseOrTransaction, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await tx.passkey.findMany({ where: { userId }, select: { credentialId: true, transports: true } });
  return rows.map(({ credentialId, transports }) => ({ id: Buffer.from(credentialId).toString('base64url'), transports }));
}

/** Returns a credential by its id in base64url; null for an unknown one. */
export async function findPasskeyCredential(tx: DatabaseOrTransaction, credentialId: string): Promise<PasskeyCredential | null> {
  const row = await tx.passkey.findUnique({
    where: { credentialId: Uint8Array.from(Buffer.from(credentialId, 'base64url')) },
    select: { id: true, userId: true, publicKey: true, counter: true, transports: true },
  });
  return row && { ...row, publicKey: Uint8Array.from(row.publicKey), counter: Number(row.counter) };
}

/** Stores the counter of an assertion; returns false when the passkey was deleted or another assertion has changed the counter. */
export async function updatePasskeyCounter(tx: DatabaseOrTransaction, { id, counter }: PasskeyCredential, next: number): Promise<boolean> {
  const data = { counter: BigInt(next), lastUsedAt: new Date() };
  return (await tx.passkey.updateMany({ where: { id, counter: BigInt(counter) }, data })).count === 1;
}

/** Renames a passkey of a user; returns null when the user has none with this id. */
export async function renamePasskey(tx: DatabaseOrTransaction, userId: string, id: string, name: string): Promise<StoredPasskey | null> {
  const [renamed] = await tx.passkey.updateManyAndReturn({ where: { id, userId }, data: { name }, select: VISIBLE });
  return renamed ?? null;
}

/** Deletes a passkey of a user; returns false when the user has none with this id. */
export async function deletePasskey(tx: DatabaseOrTransaction, userId: string, id: string): Promise<boolean> {
  return (await tx.passkey.deleteMany({ where: { id, userId } })).count === 1;
}
