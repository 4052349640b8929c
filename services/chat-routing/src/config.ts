import { integerBetween, durationMs, listenAddress, logLevel, natsUrl, url, secretKeys } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { type SecretKey } from '@parley/kit/secrets/secret-box';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type QueueLimits } from './connections/concurrency-limiter.ts';
import { MAX_CONCURRENCY } from './domain/concurrency.ts';

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress.default('127.0.0.1:0'),
  PARLEY_CONVERSATION_ADDRESS: z.string().min(1),
  /** The first key encrypts; all keys decrypt. */
  PARLEY_SECRET_KEYS: secretKeys,
  /** Base URL of the sandbox upstream; if set, the default workspace is connected to its accounts. */
  PARLEY_SANDBOX_URL: url('http', 'https').optional(),
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_DRAIN_TIMEOUT: durationMs.default(50_000),
  PARLEY_UPSTREAM_CONNECT_MS: durationMs.default(10_000),
  PARLEY_UPSTREAM_ACCEPTANCE_MS: durationMs.default(60_000),
  PARLEY_UPSTREAM_SILENCE_MS: durationMs.default(60_000),
  PARLEY_UPSTREAM_UPLOAD_MS: durationMs.default(60_000),
  PARLEY_TURN_MS: durationMs.default(600_000),
  PARLEY_WAITING_MS: durationMs.default(15_000),
  PARLEY_BUSY_MS: durationMs.default(10_000),
  PARLEY_FILE_TOKEN_BUDGET: integerBetween(0, 1_000_000).default(16_000),
  PARLEY_FILE_READERS: integerBetween(1, 64).default(2),
  PARLEY_FILE_READ_MS: durationMs.default(5_000),
  PARLEY_PROJECT_TOKEN_BUDGET: integerBetween(0, 1_000_000).default(8_000),
  PARLEY_MODELS_REFRESH: durationMs.default(900_000),
  PARLEY_CONNECTION_CONCURRENCY: integerBetween(1, MAX_CONCURRENCY).default(2_000),
  PARLEY_CONNECTION_QUEUE: integerBetween(0, 100_000).default(1_000),
  PARLEY_CONNECTION_QUEUE_MS: durationMs.default(10_000),
});

/** Settings of chat-routing; times in milliseconds. */
export interface ChatRoutingConfig {
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only`, the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  natsUrl: string;
  listen: ListenAddress;
  conversationAddress: ServiceAddress;
  secretKeys: readonly SecretKey[];
  sandboxUrl?: string;
  /** Stable name of this process among its replicas. */
  instance: string;
  /** UUID of this run of the process. */
  runnerId: string;
  logLevel: z.infer<typeof logLevel>;
  /** Time limit of the drain, from the stop signal until the last turn is recorded. @default 50_000 */
  drainMs: number;
  /** @default 10_000 */
  connectMs: number;
  /** @default 60_000 */
  acceptanceMs: number;
  /** @default 60_000 */
  silenceMs: number;
  /** How long the upload of a file may take. @default 60_000 */
  uploadMs: number;
  /** @default 600_000 */
  turnMs: number;
  /** After this time a streamed turn that no upstream has accepted sends `waiting`. @default 15_000 */
  waitingMs: number;
  /** How long a turn waits for another one of its conversation. @default 10_000 */
  busyMs: number;
  /** Interval at which the model list of a connection is refreshed. @default 900_000 */
  modelsRefreshMs: number;
  /** Maximum concurrent turns, in this process, of a connection without `max_concurrency`. @default 2_000 */
  concurrency: number;
  /** Number of processes that read files (one workspace gets at most all but one), and time limit per file. @default 2, and 5 seconds */
  fileReading: { readers: number; timeMs: number };
  /** Maximum tokens of attached files in a turn with an upstream without file storage. @default 16_000 */
  fileTokens: number;
  /** Maximum tokens of a project's instructions and files in a turn with an upstream without projects. @default 8_000 */
  projectTokens: number;
  /** Limits of the queue for slots of a connection. */
  queue: QueueLimits;
}

/** Reads the settings from the environment. Throws ConfigError with one clear line. */
export function readChatRoutingConfig(env: Env): ChatRoutingConfig {
  const read = readConfig(SCHEMA, env);
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    conversationAddress: read.PARLEY_CONVERSATION_ADDRESS,
    secretKeys: read.PARLEY_SECRET_KEYS,
    sandboxUrl: read.PARLEY_SANDBOX_URL,
    instance: read.PARLEY_INSTANCE,
    runnerId: randomUUID(),
    logLevel: read.PARLEY_LOG_LEVEL,
    drainMs: read.PARLEY_DRAIN_TIMEOUT,
    connectMs: read.PARLEY_UPSTREAM_CONNECT_MS,
    acceptanceMs: read.PARLEY_UPSTREAM_ACCEPTANCE_MS,
    silenceMs: read.PARLEY_UPSTREAM_SILENCE_MS,
    uploadMs: read.PARLEY_UPSTREAM_UPLOAD_MS,
    turnMs: read.PARLEY_TURN_MS,
    waitingMs: read.PARLEY_WAITING_MS,
    busyMs: read.PARLEY_BUSY_MS,
    fileReading: { readers: read.PARLEY_FILE_READERS, timeMs: read.PARLEY_FILE_READ_MS },
    fileTokens: read.PARLEY_FILE_TOKEN_BUDGET,
    projectTokens: read.PARLEY_PROJECT_TOKEN_BUDGET,
    modelsRefreshMs: read.PARLEY_MODELS_REFRESH,
    concurrency: read.PARLEY_CONNECTION_CONCURRENCY,
    queue: { length: read.PARLEY_CONNECTION_QUEUE, waitMs: read.PARLEY_CONNECTION_QUEUE_MS },
  };
}
