import { connect } from 'nats';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { listProcesses, type ProcessInfo, stopOrphanProcesses } from '../supervisor/orphan-processes.ts';
import { getFreePort } from '../supervisor/ports.ts';
import { type ProcessExit, type RunningProcess, type BasicLogger } from '../supervisor/running-process.ts';
import { readOrCreateSecret } from '../supervisor/secret-file.ts';
import { type StopStep } from '../supervisor/spawn-process.ts';
import { findNats } from './find-nats.ts';
import { startServer } from './start-server.ts';

const USER = 'parley';

// SIGINT flushes the store and exits 0; SIGTERM does the same but exits 1.
const STOP: readonly StopStep[] = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGTERM', waitMs: 3_000 },
];

/** Options of `startNats`. */
export interface NatsOptions {
  /** Folder of the JetStream store, the password (0600), the configuration and the log; created if absent. */
  readonly dataDir: string;
  /** Folder for a downloaded nats-server. */
  readonly cacheDir: string;
  /** Environment, for PATH. @default that of the process */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Port. @default a free one */
  readonly port?: number | undefined;
  readonly log: BasicLogger;
  readonly onExit?: ((exit: ProcessExit) => void) | undefined;
  /** Timeout of the start in milliseconds. @default 60 000 */
  readonly readyTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A running NATS server with JetStream on 127.0.0.1. */
export interface NatsHandle extends RunningProcess {
  /** `nats://user:password@127.0.0.1:port`; the same after a restart on the same folder and port. */
  readonly url: string;
  readonly port: number;
}

/** Starts a NATS server with a file-backed JetStream on `dataDir`; resolves when JetStream is ready. Throws StartError. */
export async function startNats(options: NatsOptions): Promise<NatsHandle> {
  const { cacheDir, log, signal, onExit, env = process.env } = options;
  const dataDir = resolve(options.dataDir);
  const program = await findNats({ cacheDir: resolve(cacheDir), env, log });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Starts with a letter: clients that search for ":<digits>" must find the port, not the password.
  const password = await readOrCreateSecret(join(dataDir, 'password'), () => `p${crypto.randomUUID().replaceAll('-', '')}`);
  const port = options.port ?? (await getFreePort());
  const config = join(dataDir, 'nats.conf');
  await clearOrphans(config, log);
  await rm(config, { force: true });
  await writeFile(config, configuration(port, password, dataDir), { mode: 0o600 });
  const server = await startServer({
    name: 'nats-server',
    command: program,
    args: ['-c', config],
    spawnOptions: { cwd: dataDir, env: { PATH: env['PATH'] ?? '' } },
    stopSteps: STOP,
    logFile: join(dataDir, 'nats.log'),
    failurePattern: /\[(FTL|ERR)\]|nats-server:/,
    checkReady: () => jetStreamAnswers(port, password),
    readyTimeoutMs: options.readyTimeoutMs ?? 60_000,
    onExit,
    signal,
  });
  return { url: `nats://${USER}:${password}@127.0.0.1:${port}`, port, ...server };
}

function configuration(port: number, password: string, dataDir: string): string {
  return `server_name: parley
host: 127.0.0.1
port: ${port}
max_payload: 8MB
authorization { user: ${USER}, password: ${JSON.stringify(password)} }
jetstream { store_dir: ${JSON.stringify(join(dataDir, 'jetstream'))}, max_memory_store: 256MB, max_file_store: 16GB }
`;
}

async function jetStreamAnswers(port: number, password: string): Promise<void> {
  const connection = await connect({ servers: `127.0.0.1:${port}`, user: USER, pass: password, reconnect: false, timeout: 2_000 });
  try {
    await (await connection.jetstreamManager()).getAccountInfo();
  } finally {
    await connection.close();
  }
}

async function clearOrphans(config: string, log: BasicLogger): Promise<void> {
  // A server of this data folder has its configuration in its arguments.
  const isOurs = ({ commandLine }: ProcessInfo): boolean => commandLine.includes(`nats-server -c ${config}`);
  const find = async (): Promise<number[]> => (await listProcesses()).filter(isOurs).map(({ pid }) => pid);
  await stopOrphanProcesses('nats', find, STOP, log);
}
