import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { getFreePort } from '../supervisor/ports.ts';
import { type ProcessExit, type RunningProcess, type BasicLogger } from '../supervisor/running-process.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import {
  stopOrphanServer,
  clusterFolder,
  dataFolderArgument,
  POSTGRES_STOP_STEPS,
  POSTGRES_USER,
  prepareCluster,
} from './postgres-cluster.ts';
import { postgresSettings } from './postgres-settings.ts';
import { chooseRunAs, toSpawnArguments } from './run-as.ts';
import { startServer } from './start-server.ts';

const DATABASE = 'parley';

/** Options of `startPostgres`. */
export interface PostgresOptions {
  /** Folder of the cluster, its password (0600) and its log; created if absent. */
  readonly dataDir: string;
  /** Port. @default a free one */
  readonly port?: number | undefined;
  readonly log: BasicLogger;
  readonly onExit?: ((exit: ProcessExit) => void) | undefined;
  /** When false, commits may be lost on a power loss, for speed; for tests only. @default true */
  readonly durable?: boolean | undefined;
  /** Loads `pg_stat_statements`, for measurements. @default false */
  readonly countsStatements?: boolean | undefined;
  /** Timeout of the start in milliseconds, including recovery after a crash. @default 120 000 */
  readonly readyTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A running PostgreSQL server on 127.0.0.1. */
export interface PostgresHandle extends RunningProcess {
  /** URL of the superuser of database `parley`; the same after a restart on the same folder and port. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts a PostgreSQL server on `dataDir`, also as root and below folders closed to others; resolves when it is ready. Throws StartError.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresHandle> {
  const { log, signal, durable = true, countsStatements = false, onExit } = options;
  const dataDir = resolve(options.dataDir);
  const cluster = clusterFolder(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const runAs = await chooseRunAs(cluster);
  const binaries = await findPostgresBinaries(runAs, dataDir, log);
  await stopOrphanServer(cluster, log);
  const password = await prepareCluster(dataDir, binaries, runAs, durable, signal);
  const port = options.port ?? (await getFreePort());
  const url = `postgresql://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
  const {
    command,
    args,
    options: identity,
  } = toSpawnArguments(runAs, binaries.postgres, [
    '-D',
    dataFolderArgument(runAs, cluster),
    ...postgresSettings(port, durable, countsStatements),
  ]);
  const server = await startServer({
    name: 'PostgreSQL',
    command,
    args,
    spawnOptions: { ...identity, cwd: cluster },
    stopSteps: POSTGRES_STOP_STEPS,
    logFile: join(dataDir, 'postgres.log'),
    failurePattern: /FATAL|PANIC|error/,
    checkReady: () => ensureDatabase(url),
    readyTimeoutMs: options.readyTimeoutMs ?? 120_000,
    onExit,
    signal,
  });
  return { url, port, ...server };
}

// Creates the database if it does not exist. The login with this folder's password also proves that the server is that of this cluster.
async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url.replace(/[^/]+$/, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}
