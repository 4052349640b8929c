import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { transaction } from './pool.ts';

/** A table that is partitioned by month. Its texts are inserted into SQL, so they must be constants of the program, never input. */
export interface MonthlyTable {
  name: string;
  /** Its rows are partitioned by this column, which is never null. */
  column: string;
  /** Returns the column's lowest value of a point in time, as an SQL literal. */
  toLiteral: (time: Date) => string;
  /** A boolean column, never null: rows with true are kept outside of the monthly partitions. */
  keptColumn?: string;
  /** Statements that run once, right after the table was partitioned: they replace what the indexes of the unpartitioned table did. */
  afterPartitioning?: readonly string[];
}

/** A month for which one or more tables have a partition. */
export interface MonthPartition {
  /** `2026_12` */
  name: string;
  /** Exclusive end of the month; the oldest month also contains all earlier rows. */
  until: Date;
}

/** Number of months that are created in advance, so that the gateway may be stopped for some weeks. */
const AHEAD = 3;
/**
 * How long to wait for a table lock, in milliseconds: every other statement queues behind the waiting lock. Shorter than PostgreSQL's
 * `deadlock_timeout`.
 */
const LOCK_WAIT_MS = 500;

const startOfMonth = (time: Date, plus = 0) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + plus, 1));
const nameOf = (start: Date) => start.toISOString().slice(0, 7).replace('-', '_');

/** Returns the name of the table whose partitions are the months; with a `keptColumn` it is itself a partition. */
const monthsOf = ({ name, keptColumn: kept }: MonthlyTable) => (kept === undefined ? name : `${name}_months`);

/** Returns the names of the tables whose rows belong to no month: the table itself while it is not partitioned. */
export async function listNonMonthlyPartitions(sql: Pool | PoolClient, table: MonthlyTable): Promise<string[]> {
  if (!(await isPartitioned(sql, table))) return [table.name];
  return [`${table.name}_rest`, ...(table.keptColumn === undefined ? [] : [`${table.name}_kept`])];
}

/** Lists the monthly partitions of a table, the oldest first; none while it is not partitioned. */
export async function listMonthPartitions(sql: Pool | PoolClient, table: MonthlyTable): Promise<MonthPartition[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT right(c.relname, 7) AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) AND c.relname ~ '_\\d{4}_\\d{2}$' ORDER BY 1`,
    [monthsOf(table)],
  );
  return rows.map(({ name }) => {
    const [year = 0, month = 0] = name.split('_').map(Number);
    return { name, until: new Date(Date.UTC(year, month, 1)) };
  });
}

/**
 * Partitions a table by month if it is not partitioned yet, and creates the next months. The first month consists of all existing rows and
 * those written until this month ends; no row is copied, and others can read and write except for some milliseconds. Calls for one table
 * must not run concurrently. The pool must allow long statements. A month is skipped when rows for it exist already, because a clock is
 * ahead; they stay in the table of rows without a month.
 * @throws DatabaseError 55P03 when a table lock is not available in time, 23514 when an unpartitioned table has rows of a later month; the
 * next call continues.
 */
export async function partitionByMonth(pool: Pool, table: MonthlyTable, now: Date): Promise<void> {
  if (!(await isPartitioned(pool, table))) await partition(pool, table, startOfMonth(now, 1));
  const made = new Set((await listMonthPartitions(pool, table)).map(({ name }) => name));
  for (let ahead = 1; ahead <= AHEAD; ahead++) {
    const start = startOfMonth(now, ahead);
    if (made.has(nameOf(start))) continue;
    await addMonth(pool, table, start).catch((error: unknown) => {
      if (!isCheckViolation(error)) throw error;
    });
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function isCheckViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23514';
}

/**
 * Drops the partitions of a month with all their rows, if `mayDrop` resolves true while the tables are locked against reads and writes;
 * resolves false if it does not.
 * @throws DatabaseError 55P03 when a table lock is not available in time
 */
export function dropMonthPartition(
  pool: Pool,
  tables: readonly MonthlyTable[],
  month: MonthPartition,
  mayDrop: (client: PoolClient) => Promise<boolean> = () => Promise.resolve(true),
): Promise<boolean> {
  return locking(pool, async (client) => {
    await client.query(`LOCK TABLE ${tables.map(({ name }) => name).join()} IN ACCESS EXCLUSIVE MODE`);
    const may = await mayDrop(client);
    if (may) await client.query(`DROP TABLE ${tables.map(({ name }) => `${name}_${month.name}`).join()}`);
    return may;
  });
}

async function isPartitioned(sql: Pool | PoolClient, { name }: MonthlyTable): Promise<boolean> {
  const { rowCount } = await sql.query("SELECT FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'", [name]);
  return rowCount === 1;
}

/**
 * What a partition copies from its table: everything but constraints. A parent has no indexes either: unique ones would need the partition
 * key.
 */
const PARTITION = 'INCLUDING ALL EXCLUDING CONSTRAINTS';
const PARENT = `${PARTITION} EXCLUDING INDEXES`;

async function partition(pool: Pool, table: MonthlyTable, end: Date): Promise<void> {
  const { name, column, toLiteral: at, keptColumn: kept, afterPartitioning: also = [] } = table;
  const [months, first] = [monthsOf(table), `${name}_${nameOf(startOfMonth(end, -1))}`];
  const isFirst = `${column} < ${at(end)}${kept === undefined ? '' : ` AND NOT ${kept}`}`;
  await checked(pool, { name, constraint: `${first}_only`, condition: isFirst }, async (client) => {
    const run = async (...statements: string[]) => {
      for (const statement of statements) await client.query(statement);
    };
    await run(
      `ALTER TABLE ${name} RENAME TO ${first}`,
      `CREATE TABLE ${months} (LIKE ${first} ${PARENT}) PARTITION BY RANGE (${column})`,
      `CREATE TABLE ${name}_rest (LIKE ${first} ${PARTITION})`,
      `ALTER TABLE ${months} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${at(end)})`,
      `ALTER TABLE ${months} ATTACH PARTITION ${name}_rest DEFAULT`,
    );
    if (kept !== undefined) {
      await run(
        `CREATE TABLE ${name} (LIKE ${first} ${PARENT}) PARTITION BY LIST (${kept})`,
        `CREATE TABLE ${name}_kept (LIKE ${first} ${PARTITION})`,
        `ALTER TABLE ${name} ATTACH PARTITION ${months} FOR VALUES IN (false)`,
        `ALTER TABLE ${name} ATTACH PARTITION ${name}_kept FOR VALUES IN (true)`,
      );
    }
    await run(`ALTER TABLE ${first} DROP CONSTRAINT ${first}_only`, ...also);
  });
}

async function addMonth(pool: Pool, table: MonthlyTable, start: Date): Promise<void> {
  const { column, toLiteral: at } = table;
  const [rest, month] = [`${table.name}_rest`, `${table.name}_${nameOf(start)}`];
  const [from, to] = [at(start), at(startOfMonth(start, 1))];
  const isElsewhere = `${column} < ${from} OR ${column} >= ${to}`;
  await checked(pool, { name: rest, constraint: `${month}_elsewhere`, condition: isElsewhere }, async (client) => {
    await client.query(`CREATE TABLE ${month} (LIKE ${rest} ${PARTITION})`);
    await client.query(`ALTER TABLE ${monthsOf(table)} ATTACH PARTITION ${month} FOR VALUES FROM (${from}) TO (${to})`);
    await client.query(`ALTER TABLE ${rest} DROP CONSTRAINT ${month}_elsewhere`);
  });
}

interface Check {
  name: string;
  constraint: string;
  condition: string;
}

/**
 * Changes a table of which every row fulfils a condition. A constraint validates the rows while others read and write; PostgreSQL then
 * trusts it and does not scan the table while it is locked (https://www.postgresql.org/docs/current/ddl-partitioning.html). `change` drops
 * the constraint.
 */
async function checked(pool: Pool, { name, constraint, condition }: Check, change: (client: PoolClient) => Promise<void>): Promise<void> {
  const drop = `ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${constraint}`;
  await locking(pool, async (client) => {
    await client.query(drop);
    await client.query(`ALTER TABLE ${name} ADD CONSTRAINT ${constraint} CHECK (${condition}) NOT VALID`);
  });
  try {
    await pool.query(`ALTER TABLE ${name} VALIDATE CONSTRAINT ${constraint}`);
    await locking(pool, change);
  } catch (error) {
    // While the constraint exists, rows that do not fulfil it could not be written.
    await locking(pool, (client) => client.query(drop));
    throw error;
  }
}

function locking<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return transaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    return work(client);
  });
}
