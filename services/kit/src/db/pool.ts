import { GatewayError } from '@parley/protos/errors';
import pg from 'pg';
import { type Logger } from '../log/logger.ts';
import { counter, observeGauge } from '../telemetry/meter.ts';
import { mapDatabaseError, isDatabaseUnavailable } from './database-error.ts';

/** How a service connects to its schema. */
export interface PoolOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** The schema that every connection has as its `search_path`. */
  schema: string;
  log: Logger;
  /** Shown in `pg_stat_activity`; also the label `service` of the pool's metrics. */
  applicationName: string;
  /** Maximum number of connections. @default 10 */
  max?: number;
  /** How long to wait for a connection, in milliseconds. @default 2000 */
  waitMs?: number;
  /** Maximum number of callers that wait for a connection; the next is rejected at once. @default 1000 */
  maxWaiting?: number;
  /** Timeout of a statement on the server, in milliseconds. @default 10000 */
  statementTimeoutMs?: number;
}

const GRACE_MS = 1_000;
const DATABASE_ERRORS = counter('parley_database_errors_total');
/**
 * How long an idle connection stays open. Longer than any polling interval: otherwise an idle process would open a new connection for each
 * poll.
 */
const IDLE_MS = 60_000;

/**
 * Opens a connection pool whose `connect` and `query` throw SERVICE_UNAVAILABLE when the database is not available. It opens without a
 * database and survives its restarts.
 * @throws TypeError for an invalid schema name
 */
export function openPool(options: PoolOptions): pg.Pool {
  const { url, schema, log, applicationName, max = 10, waitMs = 2_000, maxWaiting = 1_000, statementTimeoutMs = 10_000 } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new TypeError(`not a schema name: ${schema}`);
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: IDLE_MS,
    application_name: applicationName,
    options: `-c search_path=${schema}`,
    statement_timeout: statementTimeoutMs,
    // The server's own timeout does not arrive over a dead connection; the client's fires a little later.
    query_timeout: statementTimeoutMs + GRACE_MS,
    keepAlive: true,
  });
  pool.on('error', (err) => log.warn({ err }, 'an idle database connection broke'));
  // A connection that breaks while it is checked out emits an error too, which would be uncaught; its query fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return reportUse(mapErrors(pool, maxWaiting));
}

/** Returns the label `service` of a pool's metrics: its application name. */
export function getServiceLabel({ options }: pg.Pool): string {
  return options.application_name ?? '';
}

/** Reports the connections of the pool until it ends. */
function reportUse(pool: pg.Pool): pg.Pool {
  const service = getServiceLabel(pool);
  const idle = { service, state: 'idle' };
  const busy = { service, state: 'busy' };
  const ends = [
    observeGauge('parley_database_connections', () => [
      { labels: idle, value: pool.idleCount },
      { labels: busy, value: pool.totalCount - pool.idleCount },
    ]),
    observeGauge('parley_database_waiting', () => [{ labels: { service }, value: pool.waitingCount }]),
  ];
  const end = pool.end.bind(pool) as AnyMethod;
  return Object.assign(pool, {
    end: (...args: unknown[]) => {
      for (const stop of ends) stop();
      return end(...args);
    },
  });
}

type AnyMethod = (...args: unknown[]) => unknown;

function mapErrors(pool: pg.Pool, maxWaiting: number): pg.Pool {
  const connect = pool.connect.bind(pool) as AnyMethod;
  const query = pool.query.bind(pool) as AnyMethod;
  const service = getServiceLabel(pool);
  return Object.assign(pool, {
    connect: (...args: unknown[]) => {
      if (pool.waitingCount < maxWaiting) return mapped(connect(...args), service);
      const refusal = new GatewayError('SERVICE_UNAVAILABLE', 'too many requests wait for the database');
      DATABASE_ERRORS.add({ service });
      const [callback] = args;
      if (typeof callback !== 'function') return Promise.reject(refusal);
      process.nextTick(callback, refusal);
      return undefined;
    },
    query: (...args: unknown[]) => mapped(query(...args), service),
  });
}

/** The callback forms return nothing and are used by the driver itself; only promises are mapped. */
function mapped(result: unknown, service: string): unknown {
  if (result === undefined) return result;
  return (result as Promise<unknown>).catch((error: unknown) => {
    throw counted(error, service);
  });
}

/** Maps an error of the driver, and counts it if the database is not available; an error that is mapped already is not counted again. */
function counted(error: unknown, service: string): unknown {
  const coded = mapDatabaseError(error);
  if (coded !== error) DATABASE_ERRORS.add({ service });
  return coded;
}

/**
 * Runs `work` in one transaction on one connection: commits when it resolves, rolls back when it throws.
 * @throws GatewayError SERVICE_UNAVAILABLE when the database is not available; whether an interrupted COMMIT took effect is then unknown.
 */
export async function transaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    broken = false;
    return result;
  } catch (error) {
    // On a connection that no longer responds, a ROLLBACK would only wait; closing the connection rolls back as well.
    broken = isDatabaseUnavailable(error) || (await rollbackFails(client));
    throw counted(error, getServiceLabel(pool));
  } finally {
    client.release(broken);
  }
}

function rollbackFails(client: pg.PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => false,
    () => true,
  );
}
