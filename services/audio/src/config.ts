import { type BlobConfig, blobLocationField } from '@parley/kit/blob/open-blob-store';
import { integerBetween, durationMs, listenAddress, logLevel, natsUrl, url, secretKeys } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type EspeakConfig } from './providers/espeak/find-espeak.ts';
import { TRANSCRIPTION_FIELDS, type TranscriptionConfig, toTranscriptionConfig } from './transcription/transcription-config.ts';

/** Configuration of the audio service; times are in milliseconds. */
export interface AudioConfig {
  /** `postgres://…`; the service uses only its own schema. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only` the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Listener: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: ListenAddress;
  chatRoutingAddress: ServiceAddress;
  /** Secrets from which the keys of download tickets are derived; the first signs, all of them verify. */
  secretKeys: readonly Buffer[];
  blobs: BlobConfig;
  /** Address of the HTTP listener for downloads; port 0 chooses a free one. @default '127.0.0.1:0' */
  httpListen: `${string}:${number}`;
  /** Base URL at which the edge reaches that listener, without a trailing slash. @default the bound address */
  httpUrl: string | undefined;
  /** Maximum number of concurrent jobs in this process, and of its speech engines. @default 2 */
  workers: number;
  /** Maximum number of concurrent jobs of one workspace, over all replicas; further jobs wait. @default 4 */
  workspaceConcurrency: number;
  /** Maximum number of characters of speech per workspace and day (UTC). @default 1,000,000 */
  dailyCharacters: number;
  /** How long the audio of a job is kept after its creation. @default 24 hours */
  retentionMs: number;
  /** Where to look for espeak-ng, an optional provider. @default PATH */
  espeak: EspeakConfig;
  transcription: TranscriptionConfig;
  /** Stable name of this process, used in leases and for the broker. @default the host name */
  instance: string;
  /** @default 'info' */
  logLevel: LogLevel;
}

const espeak = z
  .string()
  .refine((value) => ['auto', 'none'].includes(value) || isAbsolute(value), 'must be auto, none or an absolute path');

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress,
  PARLEY_CHAT_ROUTING_ADDRESS: z.string().min(1),
  PARLEY_SECRET_KEYS: secretKeys,
  PARLEY_BLOB_STORE: blobLocationField,
  PARLEY_AUDIO_HTTP_LISTEN: listenAddress.default('127.0.0.1:0'),
  PARLEY_AUDIO_HTTP_URL: url('http', 'https').optional(),
  PARLEY_AUDIO_WORKERS: integerBetween(1, 64).default(2),
  PARLEY_AUDIO_WORKSPACE_CONCURRENCY: integerBetween(1, 1_000).default(4),
  PARLEY_AUDIO_DAILY_CHARACTERS: integerBetween(0, 2_000_000_000).default(1_000_000),
  PARLEY_AUDIO_RETENTION: durationMs.default(86_400_000),
  PARLEY_ESPEAK: espeak.default('auto'),
  ...TRANSCRIPTION_FIELDS,
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
});

const EVERY_HOST = /^(0\.0\.0\.0|\[::\]):/;

/** Reads the configuration of a separate process from its environment. @throws ConfigError */
export function readAudioConfig(env: Env): AudioConfig {
  const read = readConfig(SCHEMA, env);
  const { PARLEY_AUDIO_HTTP_LISTEN: httpListen, PARLEY_AUDIO_HTTP_URL: httpUrl } = read;
  if (httpUrl === undefined && EVERY_HOST.test(httpListen)) {
    throw new ConfigError('bad configuration: PARLEY_AUDIO_HTTP_URL must say how the edge reaches PARLEY_AUDIO_HTTP_LISTEN');
  }
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    chatRoutingAddress: read.PARLEY_CHAT_ROUTING_ADDRESS,
    secretKeys: read.PARLEY_SECRET_KEYS.map(({ key }) => key),
    blobs: read.PARLEY_BLOB_STORE,
    httpListen,
    httpUrl: httpUrl?.replace(/\/+$/, ''),
    workers: read.PARLEY_AUDIO_WORKERS,
    workspaceConcurrency: read.PARLEY_AUDIO_WORKSPACE_CONCURRENCY,
    dailyCharacters: read.PARLEY_AUDIO_DAILY_CHARACTERS,
    retentionMs: read.PARLEY_AUDIO_RETENTION,
    espeak: { espeak: read.PARLEY_ESPEAK, path: read.PATH },
    transcription: toTranscriptionConfig(read),
    instance: read.PARLEY_INSTANCE,
    logLevel: read.PARLEY_LOG_LEVEL,
  };
}
