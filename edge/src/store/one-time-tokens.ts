import { type Database, runQuery } from './client.ts';
import { bytesOf } from './digest-bytes.ts';
import { type Writer } from './sessions.ts';

/** What a token is for. */
export type TokenKind = 'setup' | 'reset' | 'second_factor' | 'oidc' | 'passkey';

/** A token to store. */
export interface NewOneTimeToken {
  id: string;
  kind: TokenKind;
  digest: string;
  userId?: string;
  /** Encrypted. */
  state?: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

/** A token that may be used. */
export interface OneTimeToken {
  id: string;
  userId: string | null;
  state: Uint8Array | null;
  failures: number;
}

const VISIBLE = { id: true, userId: true, state: true, failures: true } as const;

/** Stores a token. */
export async function insertOneTimeToken(tx: Writer, { digest, ...token }: NewOneTimeToken): Promise<void> {
  await tx.oneTimeToken.create({ data: { ...token, digest: bytesOf(digest) } });
}

/** A token that is neither used nor expired; null for any other. It stays usable. */
export function findOneTimeToken(db: Database, kind: TokenKind, digest: string): Promise<OneTimeToken | null> {
  return runQuery(db.oneTimeToken.findFirst({ where: usable(kind, digest), select: VISIBLE }));
}

/** Uses a token: of any number of callers at once, one gets it and the others null. Its state is wiped. */
export async function takeOneTimeToken(tx: Writer, kind: TokenKind, digest: string): Promise<OneTimeToken | null> {
  const [row] = await tx.$queryRaw<OneTimeToken[]>`
    WITH taken AS (
      SELECT id, user_id, state, failures FROM one_time_tokens
      WHERE digest = ${bytesOf(digest)} AND kind = ${kind} AND used_at IS NULL AND expires_at > now() FOR UPDATE
    )
    UPDATE one_time_tokens t SET used_at = now(), state = NULL FROM taken
    WHERE t.id = taken.id
    RETURNING t.id, t.user_id AS "userId", taken.state, t.failures`;
  return row ?? null;
}

/** Counts a wrong answer; at `most` of them the token is used up. Returns how many there were. */
export async function countFailure(db: Database, id: string, most: number): Promise<number> {
  const [row] = await runQuery(
    db.$queryRaw<{ failures: number }[]>`
      UPDATE one_time_tokens SET failures = failures + 1, used_at = CASE WHEN failures + 1 >= ${most} THEN now() ELSE used_at END
      WHERE id = ${id}::uuid RETURNING failures`,
  );
  return row?.failures ?? most;
}

/** Uses up every open token of a kind, of one person or of all: a new one replaces the old. */
export async function revokeOneTimeTokens(tx: Writer, kind: TokenKind, userId?: string): Promise<void> {
  await tx.oneTimeToken.updateMany({
    where: { kind, usedAt: null, ...(userId !== undefined && { userId }) },
    data: { usedAt: new Date(), state: null },
  });
}

function usable(kind: TokenKind, digest: string) {
  return { kind, digest: bytesOf(digest), usedAt: null, expiresAt: { gt: new Date() } };
}
