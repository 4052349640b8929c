import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '@parley/kit/db/migrate';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { createLogger } from '@parley/kit/log/logger';
import { startFaultProxy } from '@parley/kit/testing/fault-proxy';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ExampleSchema, openExampleSchema } from './example-schema.ts';

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const lines: string[] = [];
const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
let example: ExampleSchema;

beforeEach(async () => {
  lines.length = 0;
  example = await openExampleSchema({
    '0001_init': 'CREATE TABLE item (id int PRIMARY KEY);',
    '0002_name': 'ALTER TABLE item ADD name text;',
  });
});
afterEach(() => example.close());

const options = () => ({ url: example.url, schema: 'example', folder: example.folder, log });
const exists = async (name: string) =>
  (await example.client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name])).rows[0]?.found;

describe('a process that never migrates', () => {
  const wait = (waitMs?: number) => prepareSchema({ ...options(), mode: 'never', ...(waitMs !== undefined && { waitMs }) });

  it('waits until another process has migrated everything', async () => {
    let done = false;
    const waiting = wait().then(() => (done = true));
    await waitFor(() => lines.some((line) => line.includes('"missing":["0001_init","0002_name"]')));
    await example.remove('0002_name');
    await migrate(options());
    await waitFor(() => lines.some((line) => line.includes('"missing":["0002_name"]')));
    expect(done).toBe(false);
    await example.write('0002_name', 'ALTER TABLE item ADD name text;');
    await migrate(options());
    await waiting;
  });

  it('changes nothing, and says with a code what is missing when none has', async () => {
    await expect(wait(0)).rejects.toMatchObject({
      condition: 'SERVICE_UNAVAILABLE',
      message: 'schema example lacks 0001_init, 0002_name: run this process once with PARLEY_MIGRATE=only',
    });
    await expect(example.client.query(`SELECT FROM pg_namespace WHERE nspname = 'example'`)).resolves.toMatchObject({ rowCount: 0 });
  });

  it('needs no right to create anything', async () => {
    await migrate(options());
    const role = `reader_${Date.now()}`;
    await example.client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`);
    await example.client.query(`GRANT USAGE ON SCHEMA example TO ${role}`);
    await example.client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA example TO ${role}`);
    const url = new URL(example.url);
    [url.username, url.password] = [role, 'reader'];
    await expect(prepareSchema({ ...options(), url: url.href, mode: 'never' })).resolves.toBeUndefined();
    await example.client.query(`DROP OWNED BY ${role}`);
    await example.client.query(`DROP ROLE ${role}`);
  });

  it('does not wait for a schema that was made by other files', async () => {
    await migrate(options());
    await example.write('0001_init', 'CREATE TABLE item (id bigint PRIMARY KEY);');
    await expect(wait()).rejects.toThrow('migration 0001_init of schema example was changed after it had been applied');
  });

  it('starts with the schema of a newer release', async () => {
    await migrate(options());
    await example.remove('0002_name');
    await expect(wait()).resolves.toBeUndefined();
  });

  it('waits for a database that is away', async () => {
    await migrate(options());
    const { hostname: host, port } = new URL(example.url);
    const proxy = await startFaultProxy({ host, port: Number(port) });
    proxy.cut();
    const url = new URL(example.url);
    [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
    const through = { ...options(), url: url.href, mode: 'never' as const };
    await expect(prepareSchema({ ...through, startMs: 0 })).rejects.toMatchObject({ condition: 'SERVICE_UNAVAILABLE' });
    const waiting = prepareSchema(through);
    proxy.resume();
    await waiting;
    await proxy.close();
  });
});

describe('a process that starts', () => {
  it.each([undefined, 'start'] as const)('migrates by itself with %s', async (mode) => {
    await prepareSchema({ ...options(), mode });
    await expect(exists('example.item')).resolves.toBe(true);
  });
});

describe('PARLEY_MIGRATE=only', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  function run(env: Record<string, string>) {
    const child = spawn(
      process.execPath,
      ['--conditions=@parley/source', '--import', file('load-typescript.mjs'), file('run-service.ts'), 'normal', example.folder],
      { env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: example.url, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    children.push(child);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const closed = once(child, 'close').then(([code]) => code as number);
    return { child, closed, out: () => out, err: () => err };
  }

  it('migrates, starts nothing and exits 0, also when two do it at once', async () => {
    const both = [run({ PARLEY_MIGRATE: 'only' }), run({ PARLEY_MIGRATE: 'only' })];
    await expect(Promise.all(both.map(({ closed }) => closed))).resolves.toEqual([0, 0]);
    const said = both.map(({ out }) => out()).join('');
    expect(said).not.toContain('started');
    expect(said.match(/"applied":\d/g)?.sort()).toEqual(['"applied":0', '"applied":2']);
    await expect(exists('example.item')).resolves.toBe(true);
  });

  it('exits 1 with one line when a migration fails', async () => {
    await example.write('0003_bad', 'SELECT nonsense;');
    const job = run({ PARLEY_MIGRATE: 'only' });
    await expect(job.closed).resolves.toBe(1);
    expect(job.err()).toBe('example: cannot start: migration 0003_bad of schema example failed: column "nonsense" does not exist\n');
  });

  it('names what it needs', async () => {
    const job = run({ PARLEY_MIGRATE: 'only', DATABASE_URL: '' });
    await expect(job.closed).resolves.toBe(1);
    expect(job.err()).toContain('bad configuration: DATABASE_URL is not set');
  });

  it('leaves other processes alone', async () => {
    const service = run({});
    await waitFor(() => service.out().includes('started'));
    await expect(exists('example.item')).resolves.toBe(false);
    service.child.kill('SIGTERM');
    await expect(service.closed).resolves.toBe(0);
  });
});
