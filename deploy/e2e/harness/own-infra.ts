import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats } from '../../local/embedded/nats.ts';
import { startPostgres } from '../../local/embedded/postgres.ts';
import { type RunningProcess } from '../../local/supervisor/running-process.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { SHARED_CACHE } from './paths.ts';

/** A server that a test can stop and start again, with its data and at the same address. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL and a NATS of one test file, which no supervisor restarts. */
export interface OwnInfra {
  database: Server;
  broker: Server;
  /** Deletes every stream and message of the broker, while it is stopped. Its password stays: it is in the URL. */
  wipeBroker(): Promise<void>;
  /** Makes a gateway use them. */
  env: { DATABASE_URL: string; NATS_URL: string };
  dispose(): Promise<void>;
}

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts both; `dispose` stops them and deletes what they kept. */
export async function startOwnInfra(): Promise<OwnInfra> {
  const folder = await makeDataDir({ cache: false });
  const [database, broker] = await Promise.all([
    server((port) => startPostgres({ dataDir: join(folder, 'postgres'), port, log })),
    server((port) => startNats({ dataDir: join(folder, 'nats'), cacheDir: SHARED_CACHE, port, log })),
  ]);
  return {
    database,
    broker,
    wipeBroker: () => rm(join(folder, 'nats', 'jetstream'), { recursive: true }),
    env: { DATABASE_URL: database.url, NATS_URL: broker.url },
    dispose: async () => {
      await Promise.all([database.stop(), broker.stop()]);
      await removeDataDir(folder);
    },
  };
}

async function server(run: (port?: number) => Promise<RunningProcess & { url: string; port: number }>): Promise<Server> {
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
