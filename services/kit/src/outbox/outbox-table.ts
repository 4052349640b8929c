import type pg from 'pg';
import { transaction } from '../db/pool.ts';
import { type OutboxRow } from './outbox-row.ts';

const COUNT_LIMIT = 100_000;

/** The events that wait in an outbox. */
export interface OutboxBacklog {
  /** Rows, counted up to 100,000. */
  rows: number;
  /** Age of the oldest of them in seconds; 0 without one. */
  oldestSeconds: number;
}

/** The queries of one outbox table. */
export class OutboxTable {
  readonly #pool: pg.Pool;
  readonly #name: string;
  readonly #take: string;

  /** @throws TypeError when the name is not a plain (or schema-qualified) one. */
  constructor(pool: pg.Pool, name: string) {
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(name)) throw new TypeError(`not a table name: ${name}`);
    this.#pool = pool;
    this.#name = name;
    // An array sub-select runs once; with `IN (… LIMIT …)` the planner may run it again and lock more rows than it deletes.
    this.#take =
      `DELETE FROM ${name} WHERE id = ANY (ARRAY(SELECT id FROM ${name} WHERE id <> ALL ($2::uuid[]) ` +
      `ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING id, subject, payload, created_at`;
  }

  /**
   * Passes up to `limit` rows, oldest first, to `pass` and deletes them if it resolves. Skips the ids in `except` and rows that another
   * replica has locked. Resolves with the number of rows.
   */
  async processRows(limit: number, except: readonly string[], pass: (rows: readonly OutboxRow[]) => Promise<void>): Promise<number> {
    return transaction(this.#pool, async (client) => {
      const { rows } = await client.query<OutboxRow>({ name: `take-${this.#name}`, text: this.#take, values: [limit, except] });
      if (rows.length > 0) await pass(rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
      return rows.length;
    });
  }

  /** Whether the table has any row. */
  async hasRows(): Promise<boolean> {
    const { rows } = await this.#pool.query({ name: `look-${this.#name}`, text: `SELECT FROM ${this.#name} LIMIT 1` });
    return rows.length > 0;
  }

  /** Returns the number and age of the waiting rows. Ordered by id, the oldest rows are first. */
  async backlog(): Promise<OutboxBacklog> {
    const { rows } = await this.#pool.query<OutboxBacklog>({
      name: `backlog-${this.#name}`,
      text:
        `SELECT count(*)::int AS rows, greatest(coalesce(extract(epoch FROM now() - min(created_at)), 0), 0)::float8 AS "oldestSeconds" ` +
        `FROM (SELECT created_at FROM ${this.#name} ORDER BY id LIMIT ${COUNT_LIMIT}) waiting`,
    });
    return rows[0] ?? { rows: 0, oldestSeconds: 0 };
  }
}
