import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './ports.ts';

describe('freePort', () => {
  it('never hands out a port twice', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(new Set(ports).size).toBe(20);
  });

  it('hands out ports that no outgoing connection is given meanwhile', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, freePort));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('hands out ports that can be listened on', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });
});
