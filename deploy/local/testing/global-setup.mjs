import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopServers } from './global-teardown.mjs';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

// The same cache as `npm start` uses by default, so that nats-server is obtained once for both.
const cacheDir = fileURLToPath(new URL('../../../.parley/cache', import.meta.url));

/** Gives the integration tests a real PostgreSQL and NATS by DATABASE_URL and NATS_URL; variables that are set already win. */
export default async function globalSetup() {
  const servers = { folder: undefined, handles: [] };
  globalThis.parleyTestServers = servers;
  if (process.env.DATABASE_URL && process.env.NATS_URL) return;
  const { startPostgres, startNats } = await loadStarters();
  servers.folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const keep = (starting) => starting.then((handle) => (servers.handles.push(handle), handle.url));
  const starting = {
    DATABASE_URL: process.env.DATABASE_URL || keep(startPostgres({ dataDir: join(servers.folder, 'postgres'), durable: false, log })),
    NATS_URL: process.env.NATS_URL || keep(startNats({ dataDir: join(servers.folder, 'nats'), cacheDir, log })),
  };
  const settled = await Promise.allSettled(Object.values(starting));
  const failure = settled.find(({ status }) => status === 'rejected');
  if (failure) {
    await stopServers(servers);
    throw failure.reason;
  }
  Object.keys(starting).forEach((name, index) => (process.env[name] = settled[index].value));
}

// Jest loads no TypeScript for a global setup: this is the build that `npm install` has made.
async function loadStarters() {
  try {
    const modules = await Promise.all([import('../../dist/local/embedded/postgres.js'), import('../../dist/local/embedded/nats.js')]);
    return { ...modules[0], ...modules[1] };
  } catch (cause) {
    throw new Error('the integration tests need the build of deploy/: run `npm run build` first', { cause });
  }
}
