import pg from 'pg';
import { settleTables } from './settle-tables.ts';

/** Every conversation of the fill is one turn of this many days, ending before yesterday: a report of the last 24 hours does not see them. */
const DAYS = 30;
const AGE_DAYS = 33;
const LAST = 1_000_000;
const BATCH = 100_000;

/** Tables of the fill, each with the columns that differ from the turn that is copied; other columns are as that turn wrote them. */
const TABLES: Record<string, Record<string, string>> = {
  'conversation.conversations': { id: id('conversation'), last_message_at: 'at', created_at: 'at', updated_at: 'at' },
  'conversation.turns': {
    id: id('turn'),
    conversation_id: id('conversation'),
    assistant_message_id: id('answer'),
    request_id: id('request'),
    started_at: 'at',
  },
  'conversation.turn_ends': { turn_id: id('turn'), conversation_id: id('conversation'), ended_at: 'at' },
  'conversation.messages': {
    id: `CASE t.role WHEN 'assistant' THEN ${id('answer')} ELSE ${id('question')} END`,
    turn_id: id('turn'),
    conversation_id: id('conversation'),
    created_at: 'at',
  },
  'usage.usage_record': { event_id: id('event'), occurred_at: 'at' },
};
// Rollups are one row per key, model and hour or day, however many conversations there are; what is sent and forgotten is not stored.
const EMPTIED = [...Object.keys(TABLES), 'conversation.turn_partials', 'usage.hourly_rollup', 'usage.daily_rollup'];

/** A UUID like the ones that Parley makes (version 7: the time first), the same for the same number. */
function id(kind: string): string {
  return `overlay(overlay(md5('${kind}' || n) placing lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' from 1) placing '8' from 17 for 1)::uuid`;
}

/** When conversation n was held. */
const TIME = `(SELECT since FROM bench.started) + n * interval '${(DAYS * 86_400) / LAST} s'`;
/** Numbers and times of a range of conversations. */
const AT = `(SELECT n, ${TIME} AS at FROM generate_series($1::int, $2::int) n) s`;
/** A prime, so that steps of it come by every number of a range before any comes again. */
const STRIDE = 7_919;

/** The stored conversations of one Parley's database. Its tables belong to the bench while no client sends turns. */
export class StoredConversations {
  readonly #client: pg.Client;
  #size = 0;
  #grownFrom = 0;
  #picked = 0;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Keeps a copy of the one turn that has been recorded, as the pattern of all others; throws when there is none. */
  static async open(databaseUrl: string): Promise<StoredConversations> {
    const client = new pg.Client({ connectionString: databaseUrl });
    // A database that stops while the connection is idle does not end the bench: the next query fails.
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`SET synchronous_commit = off; CREATE SCHEMA bench;
      CREATE TABLE bench.started AS SELECT date_trunc('milliseconds', now()) - interval '${AGE_DAYS} days' AS since`);
    const turn = `(SELECT id FROM conversation.turn_ends e JOIN conversation.turns t ON t.id = e.turn_id WHERE status = 'completed' ORDER BY id LIMIT 1)`;
    await client.query(`
      CREATE TABLE bench.turns AS SELECT * FROM conversation.turns WHERE id = ${turn};
      CREATE TABLE bench.turn_ends AS SELECT * FROM conversation.turn_ends WHERE turn_id = ${turn};
      CREATE TABLE bench.messages AS SELECT * FROM conversation.messages WHERE turn_id = ${turn};
      CREATE TABLE bench.conversations AS SELECT * FROM conversation.conversations WHERE id = (SELECT conversation_id FROM bench.turns);
      CREATE TABLE bench.usage_record AS SELECT * FROM usage.usage_record LIMIT 1`);
    const { rows } = await client.query<{ whole: boolean }>(
      `SELECT (SELECT count(*) FROM bench.messages) = 2 AND (SELECT count(*) FROM bench.conversations) = 1 AND (SELECT count(*) FROM bench.usage_record) = 1 AS whole`,
    );
    if (rows[0]?.whole !== true) throw new Error('the database holds no complete turn to copy');
    return new StoredConversations(client);
  }

  /** Empties the record and fills it to a size. */
  async refill(size: number): Promise<void> {
    await this.#client.query(`TRUNCATE ${EMPTIED.join(', ')}`);
    this.#size = 0;
    await this.growTo(size);
  }

  /** Adds what is missing to a size, and brings the tables to rest. */
  async growTo(size: number): Promise<void> {
    if (size > this.#size) [this.#grownFrom, this.#picked] = [this.#size, 0];
    while (this.#size < size) {
      const to = Math.min(size, this.#size + BATCH);
      for (const [table, changed] of Object.entries(TABLES)) {
        await this.#client.query(await this.#copy(table, changed), [this.#size + 1, to]);
      }
      this.#size = to;
    }
    await settleTables(this.#client, EMPTIED);
  }

  /** How many conversations there are, those of measured turns included. */
  async count(): Promise<number> {
    const { rows } = await this.#client.query<{ count: number }>('SELECT count(*)::int AS count FROM conversation.conversations');
    return rows[0]?.count ?? 0;
  }

  /**
   * Ids of conversations of the fill that were not given before, `most` of them or all that the last growth added, scattered over all of
   * it. They are computed and not read: reading them would warm what the turns are to find cold.
   */
  async pick(most: number): Promise<string[]> {
    const span = this.#size - this.#grownFrom;
    const count = Math.min(most, span);
    const numbers = `SELECT $1::int + 1 + (($2::bigint + i) * ${STRIDE} % $3::int)::int AS n FROM generate_series(0, $4::int - 1) i`;
    const { rows } = await this.#client.query<{ id: string }>(
      `SELECT ${id('conversation')} AS id FROM (SELECT n, ${TIME} AS at FROM (${numbers}) r) s ORDER BY random()`,
      [this.#grownFrom, this.#picked, span, count],
    );
    this.#picked += count;
    return rows.map((row) => row.id);
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #copy(table: string, changed: Record<string, string>): Promise<string> {
    const pattern = `bench.${table.split('.')[1]}`;
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    );
    const columns = rows.map(({ name }) => `"${name}"`);
    const values = rows.map(({ name }) => changed[name] ?? `t."${name}"`);
    return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${AT} CROSS JOIN ${pattern} t ORDER BY n`;
  }
}
