import pg from 'pg';
import { settleTables } from '../stored/settle-tables.ts';

const BATCH = 500_000;

/**
 * Record n, as ingest writes it: the odd ones of the last 24 hours, the even ones of the last 30 days, of two keys and two models each. All
 * hours, days, keys and models are there from 500 records on, so that no size has more rollups than another.
 */
const FILL = `
INSERT INTO usage.usage_record
  (event_id, occurred_at, workspace_id, key_id, model, successful, errors, rate_limited, tokens_in, tokens_out, duration_ms)
SELECT overlay(lpad(to_hex(n), 32, '0') placing '7' from 13)::uuid,
       now() - CASE n % 2 WHEN 1 THEN (n / 2 % 24) * interval '1 hour' ELSE (n / 2 % 30) * interval '1 day' END,
       owner.workspace_id, CASE (n / 120) % 2 WHEN 0 THEN owner.id ELSE owner.workspace_id END, 'model-' || (n / 60) % 2, 1, 0, 0, 100, 200, 300
FROM generate_series($1::int, $2::int) n, (SELECT id, workspace_id FROM edge.api_keys LIMIT 1) owner`;

const COUNTERS = ['successful', 'errors', 'rate_limited', 'tokens_in', 'tokens_out', 'duration_ms'];

const rollUp = (table: string, bucket: string, of: string, since: string) => `
INSERT INTO usage.${table} (workspace_id, key_id, ${bucket}, model, ${COUNTERS.join(', ')})
SELECT workspace_id, key_id, ${of}, model, ${COUNTERS.map((name) => `sum(${name})`).join(', ')}
FROM usage.usage_record WHERE occurred_at > now() - interval '${since}' GROUP BY 1, 2, 3, 4`;

const TABLES = ['usage.usage_record', 'usage.hourly_rollup', 'usage.daily_rollup'];

/** The usage of one Parley's database, which nothing else adds to. */
export class StoredUsage {
  readonly #client: pg.Client;
  #size = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(databaseUrl: string): Promise<StoredUsage> {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`SET synchronous_commit = off; TRUNCATE ${TABLES.join(', ')}`);
    return new StoredUsage(client);
  }

  /** Adds records up to a size, with the rollups of all of them; brings the tables to rest. Gives how many rows the rollups have. */
  async growTo(size: number): Promise<number> {
    for (; this.#size < size; this.#size = Math.min(size, this.#size + BATCH)) {
      await this.#client.query(FILL, [this.#size + 1, Math.min(size, this.#size + BATCH)]);
    }
    await this.#client.query('TRUNCATE usage.hourly_rollup, usage.daily_rollup');
    await this.#client.query(rollUp('hourly_rollup', 'hour', "date_trunc('hour', occurred_at, 'UTC')", '3 days'));
    await this.#client.query(rollUp('daily_rollup', 'day', "(occurred_at AT TIME ZONE 'UTC')::date", '400 days'));
    await settleTables(this.#client, TABLES);
    const { rows } = await this.#client.query<{ count: number }>(
      'SELECT (SELECT count(*) FROM usage.hourly_rollup)::int + (SELECT count(*) FROM usage.daily_rollup)::int AS count',
    );
    return rows[0]?.count ?? 0;
  }

  /** Deletes all of it. */
  async close(): Promise<void> {
    await this.#client.query(`TRUNCATE ${TABLES.join(', ')}`);
    await this.#client.end();
  }
}
