import type { Pool } from 'pg';
import { type TimeRange } from '../domain/turn-id-range.ts';

/** Tokens of the turns that ended in one minute. */
export interface TokenSum {
  minute: Date;
  tokens: number;
}

const SUM = `
SELECT date_bin('1 minute', ended_at, 'epoch'::timestamptz) AS minute, sum(tokens_in + tokens_out)::float8 AS tokens
FROM turn_ends WHERE ended_at >= $1 AND ended_at < $2 GROUP BY 1 ORDER BY 1`;

/** Sums tokens by the minute in which turns ended. Reads the blocks of that period only (BRIN). */
export async function sumTokens(pool: Pool, { since, until }: TimeRange): Promise<TokenSum[]> {
  const { rows } = await pool.query<TokenSum>(SUM, [since, until]);
  return rows;
}
