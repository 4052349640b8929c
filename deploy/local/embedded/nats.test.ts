import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from 'nats';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { pollUntil } from '../supervisor/poll-until.ts';
import { getFreePort } from '../supervisor/ports.ts';
import { getProcessStatus } from '../supervisor/process-status.ts';
import { type NatsHandle, startNats } from './nats.ts';

const log = pino({ level: 'silent' });
const cacheDir = fileURLToPath(new URL('../../../.parley/cache', import.meta.url));
const started: NatsHandle[] = [];
let base = '';

async function start(port?: number): Promise<NatsHandle> {
  const handle = await startNats({ dataDir: join(base, 'nats'), cacheDir, port, log });
  started.push(handle);
  return handle;
}

async function open(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, user: username, pass: password, reconnect: false });
}

async function gone(pid: number): Promise<boolean> {
  return (
    (await pollUntil(async () => ((await getProcessStatus(pid)).running ? undefined : true), { timeoutMs: 60_000, everyMs: 20 })) ?? false
  );
}

describe('startNats', () => {
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'parley-nats-'));
  });
  afterEach(async () => {
    for (const handle of started) await handle.stop();
    for (const { pid } of started.splice(0)) expect(await gone(pid)).toBe(true);
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('keeps acknowledged messages over kill -9 and a restart at the same address', async () => {
    const first = await start();
    const before = await open(first.url);
    await (await before.jetstreamManager()).streams.add({ name: 'notes', subjects: ['notes.>'] });
    await before.jetstream().publish('notes.one', 'kept');
    await before.close();
    first.kill('SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start(first.port);
    expect(second.url).toBe(first.url);
    const after = await open(second.url);
    const message = await (await after.jetstreamManager()).streams.getMessage('notes', { seq: 1 });
    expect(message.string()).toBe('kept');
    await after.close();
  });

  it('refuses a connection without the password, which only its owner can read', async () => {
    const { port } = await start();
    await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toThrow(/authorization/i);
    for (const name of ['password', 'nats.conf']) expect((await stat(join(base, 'nats', name))).mode & 0o777).toBe(0o600);
  });

  it('stops the server that an earlier run left behind', async () => {
    const orphan = await start();
    const next = await start(await getFreePort());
    expect(await gone(orphan.pid)).toBe(true);
    await (await open(next.url)).close();
  });

  it('says what NATS complained about when it cannot start', async () => {
    const { port } = await start();
    await expect(startNats({ dataDir: join(base, 'other'), cacheDir, port, log })).rejects.toThrow(
      /nats-server .*(address already in use|did not answer)/,
    );
  });
});
