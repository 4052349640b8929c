import { type Database, runQuery } from './client.ts';
import { type Writer } from './sessions.ts';

/** The public half of a signing key as JWK (RFC 8037). */
export interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
}

/** A key that signs tokens, as it is stored. */
export interface StoredSigningKey {
  /** The `kid`. */
  id: string;
  publicJwk: PublicJwk;
  /** Encrypted JWK. */
  privateJwk: Uint8Array<ArrayBuffer>;
  signsUntil: Date;
  /** Is published and verifies until then. */
  expiresAt: Date;
}

const STORED = { id: true, publicJwk: true, privateJwk: true, signsUntil: true, expiresAt: true } as const;

/** The keys that have not expired; the one whose time to sign ends first comes first. */
export function listSigningKeys(db: Database): Promise<StoredSigningKey[]> {
  return runQuery(readKeys(db));
}

/**
 * Adds the key that `make` returns for what is stored, if it returns one, and removes expired keys. Of any number of edges at once the first adds, and the
 * others see its key. Returns what is stored then.
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

async function readKeys(tx: Writer): Promise<StoredSigningKey[]> {
  const where = { expiresAt: { gt: new Date() } };
  const rows = await tx.signingKey.findMany({ where, select: STORED, orderBy: [{ signsUntil: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as unknown as PublicJwk }));
}
