import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

/** The name and the policy of a counter: `points` requests per client in `seconds`. */
interface CounterPolicy {
  name: string;
  points: number;
  seconds: number;
}

interface Row {
  points: number;
  reset_ms: number;
}

/**
 * A row that ends later than any window of this length could was written with another policy, or while the clock of the database was ahead;
 * the five seconds allow for statements that waited for each other.
 */
const COUNT = {
  name: 'count-throttled-request',
  text: `
    INSERT INTO throttle_counters AS c (key, points, ends_at) VALUES ($1, $2::int, now() + $3 * interval '1 ms')
    ON CONFLICT (key) DO UPDATE SET
      (points, ends_at) = (
        SELECT CASE WHEN is_over THEN $2::int ELSE c.points + $2::int END, CASE WHEN is_over THEN EXCLUDED.ends_at ELSE c.ends_at END
        FROM (SELECT c.ends_at <= now() OR c.ends_at > EXCLUDED.ends_at + interval '5 s' AS is_over) AS old
      )
    RETURNING points, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS reset_ms`,
};

/**
 * Counters of `rate-limiter-flexible` in the schema of the edge, by the clock of the database. The library would use the clock of each
 * edge, and one with a wrong clock would open and close the windows of all.
 */
export class ThrottleCounters extends RateLimiterPostgres {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool, { name, points, seconds }: CounterPolicy) {
    super({
      ...{ storeClient: pool, storeType: 'pool', tableName: 'throttle_counters', tableCreated: true, clearExpiredByTimeout: false },
      ...{ keyPrefix: name, points, duration: seconds },
    });
    this.#pool = pool;
  }

  /** Counts a request; the library calls it. */
  async _upsert(key: string, points: number, msDuration: number): Promise<Row | undefined> {
    return (await this.#pool.query<Row>({ ...COUNT, values: [key, points, msDuration] })).rows[0];
  }

  /** Converts a row to the result of the library. */
  _getRateLimiterRes(_key: string, _points: number, row: Row): RateLimiterRes {
    return new RateLimiterRes(Math.max(0, this.points - row.points), row.reset_ms, row.points, row.points === 1);
  }
}

/** Deletes counters whose window has ended. */
export async function sweepThrottleCounters(pool: pg.Pool): Promise<void> {
  await pool.query(`DELETE FROM throttle_counters WHERE ends_at < now() - interval '1 minute'`);
}

/** Resolves when the table of counters can be read; the readiness check. */
export async function checkThrottleCounters(pool: pg.Pool): Promise<void> {
  await pool.query('SELECT FROM throttle_counters LIMIT 1');
}
