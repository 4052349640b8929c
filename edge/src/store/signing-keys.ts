import { type Database, runQuery } from './client.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** The public half of a signing key as a JWK (RFC 8037). */
export interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
}

/** A stored key that signs tokens. */
export interface StoredSigningKey {
  /** Its `kid`, the JWK thumbprint. */
  id: string;
  publicJwk: PublicJwk;
  /** The private JWK, encrypted. */
  privateJwk: Uint8Array<ArrayBuffer>;
  signsUntil: Date;
  /** Until when it is published and verifies. */
  expiresAt: Date;
}

const STORED = { id: true, publicJwk: true, privateJwk: true, signsUntil: true, expiresAt: true } as const;

/** Returns the keys that have not expired; the one that stops signing first comes first. */
export function listSigningKeys(db: Database): Promise<StoredSigningKey[]> {
  return runQuery(readKeys(db));
}

/**
 * Stores the key that `make` returns for the stored keys, if any, and removes expired keys. Of several concurrent edges the first adds a
 * key, and the others see it. Returns the keys that are stored afterwards.
 */
export function addSigningKey(
  db: Database,
  make: (stored: readonly StoredSigningKey[]) => StoredSigningKey | undefined,
): Promise<StoredSigningKey[]> {
  return runQuery(
    db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.signing_keys', 0))`;
      const stored = await readKeys(tx);
      const key = make(stored);
      if (!key) return stored;
      await tx.signingKey.deleteMany({ where: { expiresAt: { lte: new Date() } } });
      await tx.signingKey.create({ data: { ...key, publicJwk: { ...key.publicJwk } } });
      return [...stored, key];
    }),
  );
}

async function readKeys(tx: DatabaseOrTransaction): Promise<StoredSigningKey[]> {
  const where = { expiresAt: { gt: new Date() } };
  const rows = await tx.signingKey.findMany({ where, select: STORED, orderBy: [{ signsUntil: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as unknown as PublicJwk }));
}
