import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getFreePort, getPersistentPort } from './ports.ts';

describe('getFreePort', () => {
  it('never hands out a port twice', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, getFreePort));
    expect(new Set(ports).size).toBe(20);
  });

  it('hands out ports that no outgoing connection is given meanwhile', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, getFreePort));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('hands out ports that can be listened on', async () => {
    const server = createServer().listen(await getFreePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });
});

describe('two Parleys of a machine', () => {
  /** What another process does: it shares nothing with this one but the ports. */
  async function another(): Promise<{ getFreePort: typeof getFreePort; getPersistentPort: typeof getPersistentPort }> {
    jest.resetModules();
    return import('./ports.ts');
  }

  it('never hand out the same port, not even one without a listener yet', async () => {
    const others = await Promise.all(Array.from({ length: 60 }, another));
    const ports = (await Promise.all(others.map((other) => Promise.all(Array.from({ length: 25 }, other.getFreePort))))).flat();
    expect(new Set(ports).size).toBe(60 * 25);
  });

  it('do not take the port that the other one keeps', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-port-'));
    const kept = await (await another()).getFreePort();
    await writeFile(join(folder, 'port'), String(kept));
    expect(await (await another()).getPersistentPort(join(folder, 'port'))).not.toBe(kept);
    await rm(folder, { recursive: true });
  });
});

describe('getPersistentPort', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-port-'));
    file = join(folder, 'sandbox', 'port');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is the same for every start of a data folder', async () => {
    const port = await getPersistentPort(file);
    expect([await getPersistentPort(file), await readFile(file, 'utf8')]).toEqual([port, `${port}\n`]);
  });

  it('is another one when a program listens there', async () => {
    const port = await getPersistentPort(file);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const other = await getPersistentPort(file);
    server.close();
    expect(other).not.toBe(port);
    expect(await getPersistentPort(file)).toBe(other);
  });

  it('does not trust a damaged file', async () => {
    await writeFile(file, '99999999');
    expect(await getPersistentPort(file)).toBeLessThan(65_536);
  });
});
