import { join } from 'node:path';
import { startNats } from '../../local/embedded/nats.ts';
import { startPostgres } from '../../local/embedded/postgres.ts';
import { type PartHandle } from '../../local/supervisor/part.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { SHARED_CACHE } from './paths.ts';

/** A server that can be away for as long as a test wants, and comes back as it was, at the same address. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL and a NATS that nobody watches over. */
export interface Ground {
  database: Server;
  broker: Server;
  /** What makes a gateway stand on it. */
  env: { DATABASE_URL: string; NATS_URL: string };
  dispose(): Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts both; `dispose` stops them and deletes what they kept. */
export async function startGround(): Promise<Ground> {
  const folder = await makeDataDir({ cache: false });
  const [database, broker] = await Promise.all([
    server((port) => startPostgres({ dataDir: join(folder, 'postgres'), port, log })),
    server((port) => startNats({ dataDir: join(folder, 'nats'), cacheDir: SHARED_CACHE, port, log })),
  ]);
  return {
    database,
    broker,
    env: { DATABASE_URL: database.url, NATS_URL: broker.url },
    dispose: async () => {
      await Promise.all([database.stop(), broker.stop()]);
      await removeDataDir(folder);
    },
  };
}

async function server(run: (port?: number) => Promise<PartHandle & { url: string; port: number }>): Promise<Server> {
  let current = await run();
  const { url, port } = current;
  return {
    url,
    get pid() {
      return current.pid;
    },
    stop: () => current.stop(),
    start: async () => void (current = await run(port)),
  };
}
