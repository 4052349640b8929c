import { type Database, runQuery } from './client.ts';
import { toDigestBytes } from './digest-bytes.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** The purpose of a token. */
export type OneTimeTokenKind = 'setup' | 'reset' | 'second_factor' | 'oidc' | 'passkey';

/** A one-time token to store; `digest` is its SHA-256 in base64. */
export interface NewOneTimeToken {
  id: string;
  kind: OneTimeTokenKind;
  digest: string;
  userId?: string;
  /** Data of the purpose, encrypted. */
  state?: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

/** A stored token that can still be used. */
export interface OneTimeToken {
  id: string;
  userId: string | null;
  state: Uint8Array | null;
  failures: number;
}

const VISIBLE = { id: true, userId: true, state: true, failures: true } as const;

/** Stores a token. */
export async function insertOneTimeToken(tx: DatabaseOrTransaction, { digest, ...token }: NewOneTimeToken): Promise<void> {
  await tx.oneTimeToken.create({ data: { ...token, digest: toDigestBytes(digest) } });
}

/** Returns a token that is neither used nor expired, without consuming it; null for any other. */
export function findOneTimeToken(db: Database, kind: OneTimeTokenKind, digest: string): Promise<OneTimeToken | null> {
  return runQuery(db.oneTimeToken.findFirst({ where: usable(kind, digest), select: VISIBLE }));
}

/** Consumes a token and erases its state; of several concurrent callers one gets it, the others null. */
export async function consumeOneTimeToken(tx: DatabaseOrTransaction, kind: OneTimeTokenKind, digest: string): Promise<OneTimeToken | null> {
  const [row] = await tx.$queryRaw<OneTimeToken[]>`
    WITH taken AS (
      SELECT id, user_id, state, failures FROM one_time_tokens
      WHERE digest = ${toDigestBytes(digest)} AND kind = ${kind} AND used_at IS NULL AND expires_at > now() FOR UPDATE
    )
    UPDATE one_time_tokens t SET used_at = now(), state = NULL FROM taken
    WHERE t.id = taken.id
    RETURNING t.id, t.user_id AS "userId", taken.state, t.failures`;
  return row ?? null;
}

/** Counts a failed attempt and consumes the token at `most` of them. Returns the number of failures. */
export async function countTokenFailure(db: Database, id: string, most: number): Promise<number> {
  const [row] = await runQuery(
    db.$queryRaw<{ failures: number }[]>`
      UPDATE one_time_tokens SET failures = failures + 1, used_at = CASE WHEN failures + 1 >= ${most} THEN now() ELSE used_at END
      WHERE id = ${id}::uuid RETURNING failures`,
  );
  return row?.failures ?? most;
}

/** Revokes all open tokens of a kind, of one user or of all; called before a new one replaces them. */
export async function revokeOneTimeTokens(tx: DatabaseOrTransaction, kind: OneTimeTokenKind, userId?: string): Promise<void> {
  await tx.oneTimeToken.updateMany({
    where: { kind, usedAt: null, ...(userId !== undefined && { userId }) },
    data: { usedAt: new Date(), state: null },
  });
}

function usable(kind: OneTimeTokenKind, digest: string) {
  return { kind, digest: toDigestBytes(digest), usedAt: null, expiresAt: { gt: new Date() } };
}
