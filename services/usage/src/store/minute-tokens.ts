import { type Database } from './database.ts';

/** Sums the tokens of the records of each minute of a period, by the start of the minute in milliseconds since 1970. Only chat turns have tokens. */
export async function sumMinuteTokens({ pool }: Pick<Database, 'pool'>, since: Date, until: Date): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ minute: number; tokens: number }>(
    `SELECT extract(epoch FROM date_trunc('minute', occurred_at))::float8 * 1000 AS minute, sum(tokens_in + tokens_out)::float8 AS tokens
     FROM usage_record WHERE occurred_at >= $1 AND occurred_at < $2 GROUP BY 1`,
    [since, until],
  );
  return new Map(rows.map(({ minute, tokens }) => [minute, tokens]));
}
