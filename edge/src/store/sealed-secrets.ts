import { Prisma } from '../generated/prisma/client.ts';
import { type Database, runQuery } from './client.ts';

/** Columns with encrypted secrets: table, primary key, the SQL of the owner that the secret is encrypted for, and the column. */
export const SEALED_COLUMNS = [
  { table: 'signing_keys', id: 'id', owner: 'id', column: 'private_jwk' },
  { table: 'totp_devices', id: 'user_id', owner: 'user_id', column: 'secret' },
  { table: 'oidc_providers', id: 'id', owner: 'id', column: 'client_secret' },
  { table: 'sessions', id: 'id', owner: 'user_id', column: 'id_token' },
  {
    table: 'one_time_tokens',
    id: 'id',
    owner: "CASE WHEN kind = 'passkey' THEN encode(digest, 'base64') ELSE id::text END",
    column: 'state',
  },
] as const;

/** One of `SEALED_COLUMNS`. */
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** An encrypted secret and the owner that it is encrypted for. */
export interface SealedSecret {
  /** Primary key of its row, as text. */
  id: string;
  owner: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Returns the secrets of a column that are encrypted with another key than `keyId`, ordered by row id, after the row `after`. */
export async function listSecretsToReencrypt(
  db: Database,
  { table, id, owner, column }: SealedColumn,
  keyId: string,
  { after, limit }: { after: string; limit: number },
): Promise<SealedSecret[]> {
  const [from, at, by, what] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${id}"`), Prisma.raw(`(${owner})`), Prisma.raw(`"${column}"`)];
  // A sealed value starts with the length and the id of its key.
  return runQuery(
    db.$queryRaw<SealedSecret[]>`
      SELECT ${at}::text AS id, ${by}::text AS owner, ${what} AS sealed FROM ${from}
      WHERE ${what} IS NOT NULL AND ${at}::text > ${after}
        AND substring(${what} FROM 2 FOR get_byte(${what}, 0)) <> convert_to(${keyId}, 'LATIN1')
      ORDER BY ${at}::text LIMIT ${limit}`,
  );
}

/** Replaces a secret, unless it was changed since it was read; returns true when it was replaced. */
export async function replaceSealedSecret(
  db: Database,
  { table, id: idColumn, column }: SealedColumn,
  { id, sealed }: SealedSecret,
  anew: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [from, at, what] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${idColumn}"`), Prisma.raw(`"${column}"`)];
  const count = await runQuery(db.$executeRaw`UPDATE ${from} SET ${what} = ${anew} WHERE ${at}::text = ${id} AND ${what} = ${sealed}`);
  return count > 0;
}
