import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { listProcesses } from '../supervisor/orphan-processes.ts';
import { pollUntil } from '../supervisor/poll-until.ts';
import { type PostgresHandle, startPostgres } from './postgres.ts';

const log = pino({ level: 'silent' });
const started: PostgresHandle[] = [];
let base = '';

async function start(port?: number, countsStatements = false): Promise<PostgresHandle> {
  // fsync is for power loss; what survives kill -9 is the same without it.
  const handle = await startPostgres({ dataDir: join(base, 'postgres'), port, durable: false, countsStatements, log });
  started.push(handle);
  return handle;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function userOf(pid: number): Promise<number> {
  const owner = await stat(`/proc/${pid}`).catch(() => undefined);
  return owner?.uid ?? Number((await promisify(execFile)('ps', ['-o', 'uid=', '-p', String(pid)])).stdout);
}

/** Every process of the cluster is gone, not only the postmaster. */
async function nothingRuns(): Promise<boolean> {
  const cluster = join(base, 'postgres', 'cluster');
  const probe = async (): Promise<true | undefined> => ((await listProcesses()).some(({ cwd }) => cwd === cluster) ? undefined : true);
  return (await pollUntil(probe, { timeoutMs: 60_000, everyMs: 20 })) ?? false;
}

describe('startPostgres', () => {
  beforeAll(async () => {
    // mkdtemp makes a folder that is closed to every other account: what a server run by root's stand-in must cope with.
    base = await mkdtemp(join(tmpdir(), 'parley-pg-'));
    // As a first start that was cut short leaves it; the tests share the cluster that is made in spite of it.
    await mkdir(join(base, 'postgres', 'cluster.new', 'base'), { recursive: true });
  });
  afterEach(async () => {
    for (const handle of started.splice(0)) await handle.stop();
    expect(await nothingRuns()).toBe(true);
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('keeps a committed row over kill -9 of the postmaster and a restart at the same address', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE note (text text)');
    await query(first.url, `INSERT INTO note VALUES ('kept')`);
    first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start(first.port);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
  });

  it('runs below a closed folder, without being root and without opening that folder', async () => {
    const { url, pid } = await start();
    expect((await stat(base)).mode & 0o777).toBe(0o700);
    expect(await userOf(pid)).not.toBe(0);
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  });

  it('gives only the holder of the password a session', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(base, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
  });

  it('counts statements only where a measurement asks for it', async () => {
    const loaded = async ({ url }: PostgresHandle) => query(url, 'SHOW shared_preload_libraries');
    expect(await loaded(await start())).toEqual([{ shared_preload_libraries: '' }]);
    const counting = await start(undefined, true);
    expect(await loaded(counting)).toEqual([{ shared_preload_libraries: 'pg_stat_statements' }]);
    await query(counting.url, 'CREATE EXTENSION pg_stat_statements');
    const known = await query(counting.url, `SELECT calls FROM pg_stat_statements WHERE query LIKE 'SHOW shared%'`);
    expect(known).toEqual([{ calls: '1' }]);
  });

  it('ends cleanly, however often it is closed', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    await expect(server.exited).resolves.toEqual({ code: 0, signal: null });
  });

  it('stops the server that an earlier run left behind', async () => {
    const orphan = await start();
    const next = await start();
    await expect(orphan.exited).resolves.toEqual({ code: 0, signal: null });
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is not held up by a stale pid file whose pid lives again', async () => {
    await writeFile(join(base, 'postgres', 'cluster', 'postmaster.pid'), `${process.pid}\n`);
    await start();
  });

  it('gives up at once when the start is called off', async () => {
    await expect(startPostgres({ dataDir: join(base, 'postgres'), log, signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  });

  it('says what PostgreSQL complained about when it cannot start', async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      await expect(start((other.address() as AddressInfo).port)).rejects.toThrow(
        /^PostgreSQL ended before it was ready \(exit code 1\): .*FATAL/,
      );
    } finally {
      other.close();
    }
  });

  it('refuses a cluster of another major version', async () => {
    await writeFile(join(base, 'postgres', 'cluster', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, this is 18/);
  });
});
