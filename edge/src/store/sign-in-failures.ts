import { type Database, runQuery } from './client.ts';
import { type DatabaseOrTransaction } from './sessions.ts';

/** How failed attempts are delayed. */
export interface DelayPolicy {
  /** Number of attempts without a delay. */
  freeAttempts: number;
  /** The delay after the first attempt that is not free, in milliseconds; it doubles with each further one. */
  firstMs: number;
  longestMs: number;
  /** After this time without an attempt, in milliseconds, the count starts again. */
  resetAfterMs: number;
}

/**
 * Counts an attempt before it is made, by the clock of the database, so that of many concurrent attempts only the free ones pass. Returns
 * undefined when it may be made, else the wait in milliseconds; a refused attempt is not counted.
 */
export async function countSignInAttempt(db: Database, key: string, policy: DelayPolicy): Promise<number | undefined> {
  const { freeAttempts, firstMs, longestMs, resetAfterMs } = policy;
  const [counted] = await runQuery(
    db.$queryRaw<{ failures: number }[]>`
      INSERT INTO sign_in_failures AS f (key, failures, last_at, next_at)
      VALUES (${key}, 1, now(), now() + CASE WHEN ${freeAttempts}::int <= 1 THEN ${firstMs}::float8 ELSE 0 END * interval '1 ms')
      ON CONFLICT (key) DO UPDATE SET (failures, last_at, next_at) = (
        SELECT n, now(), now() + CASE
          WHEN n < ${freeAttempts}::int THEN 0
          ELSE LEAST(${firstMs}::float8 * power(2, LEAST(n - ${freeAttempts}::int, 30)), ${longestMs}::float8)
        END * interval '1 ms'
        FROM (SELECT CASE WHEN f.last_at < now() - ${resetAfterMs}::float8 * interval '1 ms' THEN 1 ELSE f.failures + 1 END AS n) AS counted
      )
      -- A time further away than any delay was written by a clock that was ahead.
      WHERE f.next_at <= now() OR f.next_at > now() + ${longestMs}::float8 * interval '1 ms' + interval '5 s'
      RETURNING failures`,
  );
  if (counted) return undefined;
  const [row] = await runQuery(
    db.$queryRaw<{ wait: number }[]>`
      SELECT (extract(epoch FROM next_at - now()) * 1000)::float8 AS wait FROM sign_in_failures WHERE key = ${key}`,
  );
  return Math.max(1, row?.wait ?? 1);
}

/** Resets the attempts of an account, whose owner was proven. */
export async function resetSignInAttempts(tx: DatabaseOrTransaction, key: string): Promise<void> {
  await tx.signInFailure.deleteMany({ where: { key } });
}

/** Removes one attempt from the count, because it did not fail. */
export async function undoSignInAttempt(tx: DatabaseOrTransaction, key: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE sign_in_failures SET failures = GREATEST(failures - 1, 0), next_at = LEAST(next_at, now()) WHERE key = ${key}`;
}
