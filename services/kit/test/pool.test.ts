import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PoolOptions, openPool, transaction } from '@parley/kit/db/pool';
import { createLogger } from '@parley/kit/log/logger';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { type TestDatabase, createTestDatabase } from '@parley/kit/testing/database';
import { type FaultProxy, startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import type pg from 'pg';

const UNAVAILABLE = { name: 'GatewayError', condition: 'SERVICE_UNAVAILABLE' };

describe('openPool', () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  let database: TestDatabase;
  let proxy: FaultProxy;
  let pools: pg.Pool[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    pools = [];
    const { hostname, port } = new URL(database.url);
    proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  });
  afterEach(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await proxy.close();
  });

  function open(options: Partial<PoolOptions> = {}): pg.Pool {
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const pool = openPool({ url: url.href, schema: 'example', log, applicationName: 'test', ...options });
    pools.push(pool);
    return pool;
  }

  it('gives every connection its schema and name', async () => {
    const { rows } = await open().query(`SELECT current_setting('search_path') AS path, current_setting('application_name') AS name`);
    expect(rows).toEqual([{ path: 'example', name: 'test' }]);
  });

  it('reports its connections and who waits for one until it ends, and counts what fails without a database', async () => {
    enableMetrics('test');
    const values = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        [
          ...(await readMetrics()).text.matchAll(
            /^parley_database_([a-z]+)(?:_total)?\{service="counted"(?:,state="([a-z]+)")?\} (\d+)$/gm,
          ),
        ].map(([, name = '', state, value]): [string, number] => [state ?? name, Number(value)]),
      );
    const pool = open({ applicationName: 'counted', max: 1 });
    const held = await pool.connect();
    const waiting = pool.query('SELECT 1');
    await waitFor(() => pool.waitingCount === 1);
    expect(await values()).toEqual({ busy: 1, idle: 0, waiting: 1 });
    held.release();
    await waiting;
    expect(await values()).toEqual({ busy: 0, idle: 1, waiting: 0 });
    await expect(pool.query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
    await expect(transaction(pool, (client) => client.query('SELECT pg_terminate_backend(pg_backend_pid())'))).rejects.toMatchObject(
      UNAVAILABLE,
    );
    proxy.cut();
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    expect(await values()).toMatchObject({ errors: 2 });
    pools.splice(pools.indexOf(pool), 1);
    await pool.end();
    expect(await values()).toEqual({ errors: 2 });
  });

  it('refuses a schema name that would need quoting', () => {
    expect(() => open({ schema: 'a b' })).toThrow(TypeError);
  });

  it('fails with SERVICE_UNAVAILABLE when the connection is refused', async () => {
    const pool = open({ url: 'postgres://u:p@127.0.0.1:1/x' });
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    await expect(pool.connect()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('fails with SERVICE_UNAVAILABLE when no connection becomes free in time', async () => {
    const pool = open({ max: 1, waitMs: 50 });
    // The wait for a connection bounds the making of one, too, and a busy machine may need longer for the first.
    const held = await waitFor(() => pool.connect());
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    held.release();
    await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  });

  it('refuses at once when too many wait', async () => {
    const pool = open({ max: 1, maxWaiting: 1, waitMs: 30_000 });
    const held = await pool.connect();
    const waiting = pool.query('SELECT 1');
    await waitFor(() => pool.waitingCount === 1);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    await expect(pool.connect()).rejects.toMatchObject(UNAVAILABLE);
    held.release();
    await waiting;
  });

  it('fails with SERVICE_UNAVAILABLE when a statement takes too long', async () => {
    await expect(open({ statementTimeoutMs: 50 }).query('SELECT pg_sleep(30)')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('fails with SERVICE_UNAVAILABLE when the server stops answering', async () => {
    const pool = open({ statementTimeoutMs: 50, waitMs: 200 });
    await waitFor(() => pool.query('SELECT 1'));
    proxy.pause();
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    proxy.resume();
    await waitFor(() => pool.query('SELECT 1'));
  });

  it('survives a restart of the server, with connections idle, in use and in a transaction', async () => {
    const pool = open();
    await Promise.all([pool.query('SELECT 1'), pool.query('SELECT 1')]);
    const held = await pool.connect();
    const running = pool.query('SELECT pg_sleep(30)');
    const inTransaction = transaction(pool, async (client) => {
      await client.query('SELECT 1');
      proxy.cut();
      await client.query('SELECT 1');
    });
    const results = await Promise.allSettled([running, inTransaction]);
    for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
    await expect(pool.query('SELECT 1')).rejects.toMatchObject(UNAVAILABLE);
    held.release();
    proxy.resume();
    await expect(waitFor(() => pool.query('SELECT 1'))).resolves.toMatchObject({ rowCount: 1 });
  });

  it('leaves errors of the statement as they are', async () => {
    await expect(open().query('SELECT 1/0')).rejects.toMatchObject({ code: '22012' });
  });
});

describe('transaction', () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool({ url: database.url, schema: 'public', log, applicationName: 'test', max: 1 });
    await pool.query('CREATE TABLE item (id int PRIMARY KEY)');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('commits what resolves', async () => {
    await expect(transaction(pool, async (client) => (await client.query('INSERT INTO item VALUES (1)')).rowCount)).resolves.toBe(1);
    await expect(pool.query('SELECT id FROM item')).resolves.toMatchObject({ rows: [{ id: 1 }] });
  });

  it('rolls back what throws and keeps the connection', async () => {
    const { rows: before } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const failed = transaction(pool, async (client) => {
      await client.query('INSERT INTO item VALUES (2)');
      await client.query('INSERT INTO item VALUES (2)');
    });
    await expect(failed).rejects.toMatchObject({ code: '23505' });
    await expect(pool.query('SELECT id FROM item WHERE id = 2')).resolves.toMatchObject({ rows: [] });
    const { rows: after } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(after).toEqual(before);
  });
});
