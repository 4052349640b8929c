import pg from 'pg';
import { OWN_STATEMENT } from '../measure/backlog.ts';

/** Totals of one statement since its server started. */
interface StatementSums {
  calls: number;
  /** Time in execution: it contains waits for locks, the disk and the processor. */
  micros: number;
  rows: number;
  walBytes: number;
}

/** One statement between two moments. */
export interface Statement extends StatementSums {
  text: string;
}

/** What the database has written and done at one moment. */
export interface DatabaseMoment {
  walBytes: number;
  /** WAL by the application of each backend that was ever seen. */
  backends: ReadonlyMap<number, { name: string; walBytes: number }>;
  fullPages: number;
  statements: ReadonlyMap<string, Statement>;
}

const STATEMENTS = `${OWN_STATEMENT} SELECT queryid || ':' || toplevel AS id, query, calls, total_exec_time * 1000 AS micros, rows, wal_bytes, wal_fpi
  FROM bench.pg_stat_statements`;
const BACKENDS = `${OWN_STATEMENT} SELECT a.pid, coalesce(nullif(a.application_name, ''), a.backend_type) AS name, w.wal_bytes
  FROM pg_stat_activity a, pg_stat_get_backend_wal(a.pid) w WHERE a.pid <> pg_backend_pid()`;

interface StatementRow {
  id: string;
  query: string;
  calls: string;
  micros: number;
  rows: string;
  wal_bytes: string;
  wal_fpi: string;
}

/** The bench's own connection to the PostgreSQL of a target that counts its statements. */
export class DatabaseAccount {
  /** The process that serves this connection: no part of the target's cost. */
  readonly pid: number;
  readonly #client: pg.Client;
  readonly #backends = new Map<number, { name: string; walBytes: number }>();

  private constructor(client: pg.Client, pid: number) {
    this.#client = client;
    this.pid = pid;
  }

  /** Throws where the server does not load pg_stat_statements. */
  static async open(databaseUrl: string): Promise<DatabaseAccount> {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench' });
    // A database that stops while the connection is idle does not end the bench: the next query fails.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE SCHEMA IF NOT EXISTS bench; CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA bench');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new DatabaseAccount(client, rows[0]?.pid ?? 0);
  }

  async read(): Promise<DatabaseMoment> {
    const { rows: lsn } = await this.#client.query<{ bytes: string }>(
      `${OWN_STATEMENT} SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`,
    );
    const { rows: statements } = await this.#client.query<StatementRow>(STATEMENTS);
    await this.readBackends();
    return {
      walBytes: Number(lsn[0]?.bytes),
      backends: new Map(this.#backends),
      fullPages: statements.reduce((sum, { wal_fpi: pages }) => sum + Number(pages), 0),
      statements: new Map(statements.map((row) => [row.id, toStatement(row)])),
    };
  }

  /** Reads what each backend has written; one that has ended by the next reading keeps what was read here. */
  async readBackends(): Promise<void> {
    const { rows } = await this.#client.query<{ pid: number; name: string; wal_bytes: string }>(BACKENDS);
    for (const { pid, name, wal_bytes: bytes } of rows) this.#backends.set(pid, { name, walBytes: Number(bytes) });
  }

  /** The application of a backend that was ever seen. */
  applicationOf(pid: number): string | undefined {
    return pid === this.pid ? 'bench' : this.#backends.get(pid)?.name;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

function toStatement(row: StatementRow): Statement {
  const text = row.query.replace(/\s+/g, ' ').trim();
  return { text, calls: Number(row.calls), micros: row.micros, rows: Number(row.rows), walBytes: Number(row.wal_bytes) };
}

/** What each statement cost between two moments, most expensive first, without the bench's own. */
export function statementsBetween(before: DatabaseMoment, after: DatabaseMoment): Statement[] {
  const none = { calls: 0, micros: 0, rows: 0, walBytes: 0 };
  return [...after.statements]
    .map(([id, { text, calls, micros, rows, walBytes }]) => {
      const was = before.statements.get(id) ?? none;
      return { text, calls: calls - was.calls, micros: micros - was.micros, rows: rows - was.rows, walBytes: walBytes - was.walBytes };
    })
    .filter(({ calls, text }) => calls > 0 && !text.startsWith(OWN_STATEMENT))
    .sort((a, b) => b.micros - a.micros);
}

/** WAL bytes between two moments by application; WAL of unknown backends is summed as `others`. */
export function walByName(before: DatabaseMoment, after: DatabaseMoment): Map<string, number> {
  const sums = new Map<string, number>();
  let rest = after.walBytes - before.walBytes;
  for (const [pid, { name, walBytes }] of after.backends) {
    const bytes = walBytes - (before.backends.get(pid)?.walBytes ?? 0);
    sums.set(name, (sums.get(name) ?? 0) + bytes);
    rest -= bytes;
  }
  sums.set('others', rest);
  return sums;
}
