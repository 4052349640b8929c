import { connect, type NatsConnection } from 'nats';
import pg from 'pg';

/** Marks the bench's own statements. */
export const OWN_STATEMENT = '/* bench */';

/** The backlog of a target at one moment. */
export interface Backlog {
  /** Rows of all outbox tables. */
  outboxRows: number;
  /** Messages that a durable consumer has not acknowledged. */
  pendingMessages: number;
  /** Messages that the streams have taken so far. */
  publishedMessages: number;
  /** Turns (and other counted requests) in the usage report. */
  countedTurns: number;
}

/** Where a backlog is read. */
export interface BacklogSource {
  read(): Promise<Backlog>;
  close(): Promise<void>;
}

const OUTBOXES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE tablename = 'outbox'`;

/** Reads the backlog of a Parley: outboxes, the broker's consumers, and the usage report. */
export class BacklogReader implements BacklogSource {
  readonly #database: pg.Client;
  readonly #broker: NatsConnection;
  readonly #usage: () => Promise<number>;
  readonly #count: string;

  private constructor(database: pg.Client, broker: NatsConnection, usage: () => Promise<number>, count: string) {
    this.#database = database;
    this.#broker = broker;
    this.#usage = usage;
    this.#count = count;
  }

  /** `usage` is how many turns the target's own report counts. */
  static async open(databaseUrl: string, natsUrl: string, usage: () => Promise<number>): Promise<BacklogReader> {
    const database = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
    database.on('error', () => undefined);
    await database.connect();
    const { rows } = await database.query<{ name: string }>(OUTBOXES);
    const counts = rows.map(({ name }) => `(SELECT count(*) FROM ${name})`);
    const { host, username, password } = new URL(natsUrl);
    const broker = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
    return new BacklogReader(database, broker, usage, `${OWN_STATEMENT} SELECT ${['0', ...counts].join(' + ')} AS rows`);
  }

  async read(): Promise<Backlog> {
    const [outbox, broker, countedTurns] = await Promise.all([
      this.#database.query<{ rows: string }>(this.#count),
      this.#messages(),
      this.#usage(),
    ]);
    return { outboxRows: Number(outbox.rows[0]?.rows), ...broker, countedTurns };
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#database.end(), this.#broker.close()]);
  }

  async #messages(): Promise<Pick<Backlog, 'pendingMessages' | 'publishedMessages'>> {
    const manager = await this.#broker.jetstreamManager({ checkAPI: false });
    let [pendingMessages, publishedMessages] = [0, 0];
    for await (const { config, state } of manager.streams.list()) {
      publishedMessages += state.last_seq;
      for await (const consumer of manager.consumers.list(config.name)) pendingMessages += consumer.num_pending + consumer.num_ack_pending;
    }
    return { pendingMessages, publishedMessages };
  }
}
