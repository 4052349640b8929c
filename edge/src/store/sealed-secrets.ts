import { Prisma } from '../generated/prisma/client.ts';
import { type Database, runQuery } from './client.ts';

/** Columns with encrypted secrets: the primary key of their rows, and for whom each is encrypted (SQL). */
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

/** One of them. */
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** A secret and whose it is. */
export interface SealedSecret {
  /** Of its row. */
  id: string;
  owner: string;
  sealed: Uint8Array<ArrayBuffer>;
}

/** Secrets that another key than this one encrypts, after a row, in the order of rows. */
export async function listSealedWithOthers(
  db: Database,
  { table, id, owner, column }: SealedColumn,
  keyId: string,
  { after, limit }: { after: string; limit: number },
): Promise<SealedSecret[]> {
  const [from, at, by, what] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${id}"`), Prisma.raw(`(${owner})`), Prisma.raw(`"${column}"`)];
  // The id of the key stands in front, after its length.
  return runQuery(
    db.$queryRaw<SealedSecret[]>`
      SELECT ${at}::text AS id, ${by}::text AS owner, ${what} AS sealed FROM ${from}
      WHERE ${what} IS NOT NULL AND ${at}::text > ${after}
        AND substring(${what} FROM 2 FOR get_byte(${what}, 0)) <> convert_to(${keyId}, 'LATIN1')
      ORDER BY ${at}::text LIMIT ${limit}`,
  );
}

/** Replaces a secret, unless it was changed since it was read. Returns whether it was replaced. */
export async function replaceSealed(
  db: Database,
  { table, id: idColumn, column }: SealedColumn,
  { id, sealed }: SealedSecret,
  anew: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const [from, at, what] = [Prisma.raw(`"${table}"`), Prisma.raw(`"${idColumn}"`), Prisma.raw(`"${column}"`)];
  const count = await runQuery(db.$executeRaw`UPDATE ${from} SET ${what} = ${anew} WHERE ${at}::text = ${id} AND ${what} = ${sealed}`);
  return count > 0;
}
