import { describe, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { makeDataDir, removeDataDir } from '../harness/data-dir.ts';
import { expectOneLine } from '../harness/refused-start.ts';

describe('a start that cannot be', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ['a port that is none', { PARLEY_PORT: 'abc' }, /PARLEY_PORT/],
    ['an unknown topology', { PARLEY_TOPOLOGY: 'triple' }, /PARLEY_TOPOLOGY/],
    ['a preset key that is none', { PARLEY_API_KEY: 'gmk_live_short' }, /PARLEY_API_KEY/],
    ['a database that is no PostgreSQL', { DATABASE_URL: 'mysql://127.0.0.1/parley' }, /DATABASE_URL/],
    ['a pace that is none', { PARLEY_SANDBOX_DELAY_MS: 'fast' }, /PARLEY_SANDBOX_DELAY_MS/],
    ['a variable of the edge', { PARLEY_PING_INTERVAL: 'soon' }, /PARLEY_PING_INTERVAL/],
    ['a variable of chat-routing', { PARLEY_BUSY_MS: 'long', PARLEY_TOPOLOGY: 'separate' }, /PARLEY_BUSY_MS/],
    ['a NATS server that cannot be had', { PATH: '/nowhere' }, /nats-server.*NATS_URL/],
    ['a data folder that cannot be', { PARLEY_DATA_DIR: '/dev/null/parley' }, /PARLEY_DATA_DIR/],
  ])('says in one line what is wrong and ends with 1: %s', async (_what, env, line) => {
    const dataDir = await makeDataDir({ cache: false, database: false });
    try {
      await expectOneLine({ PARLEY_DATA_DIR: dataDir, ...(env['PATH'] ? {} : { PATH: process.env['PATH'] ?? '' }), ...env }, line);
    } finally {
      await removeDataDir(dataDir);
    }
  });

  it('says in one line that the port is taken', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const dataDir = await makeDataDir();
    try {
      await expectOneLine({ PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port) }, new RegExp(`port ${port} is in use.*PARLEY_PORT`));
    } finally {
      server.close();
      await removeDataDir(dataDir);
    }
  });
});
