import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { type BlobConfig, blobLocation } from '@parley/kit/blob/open-blob-store';
import { count, durationMs, listen, logLevel, natsUrl, url, secretKeys } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { type Listen } from '@parley/kit/rpc/serve';
import { z } from 'zod';
import { type EspeakConfig } from './providers/espeak/find-espeak.ts';
import { TRANSCRIPTION_FIELDS, type TranscriptionConfig, transcriptionConfig } from './transcription/transcription-config.ts';

/** What the audio service needs to run; times in milliseconds. */
export interface AudioConfig {
  /** `postgres://…`; the service keeps to its own schema in it. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; `only` is the concern of the process, which then does not start this. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Where to answer calls: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: Listen;
  chatRoutingAddress: Address;
  /** Download tickets are signed with what is derived from the first, and checked with all of them. */
  secretKeys: readonly Buffer[];
  blobs: BlobConfig;
  /** Where downloads are answered; port 0 chooses a free one. @default '127.0.0.1:0' */
  httpListen: `${string}:${number}`;
  /** How the edge reaches that, without a slash at the end. @default the bound address */
  httpUrl: string | undefined;
  /** Jobs that this process works on at once, and engines that speak in it. @default 2 */
  workers: number;
  /** Jobs of one workspace that are worked on at once, over all replicas; others wait in the queue. @default 4 */
  workspaceConcurrency: number;
  /** Characters that a workspace may have spoken in a day (UTC). @default 1,000,000 */
  dailyCharacters: number;
  /** How long the audio of a job is kept after its creation. @default 24 hours */
  retentionMs: number;
  /** Where an espeak-ng is that may speak, too. @default wherever PATH has it */
  espeak: EspeakConfig;
  transcription: TranscriptionConfig;
  /** Stable name of this process, shown to the broker and in leases. @default the host name */
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
  PARLEY_LISTEN: listen,
  PARLEY_CHAT_ROUTING_ADDRESS: z.string().min(1),
  PARLEY_SECRET_KEYS: secretKeys,
  PARLEY_BLOB_STORE: blobLocation,
  PARLEY_AUDIO_HTTP_LISTEN: listen.default('127.0.0.1:0'),
  PARLEY_AUDIO_HTTP_URL: url('http', 'https').optional(),
  PARLEY_AUDIO_WORKERS: count(1, 64).default(2),
  PARLEY_AUDIO_WORKSPACE_CONCURRENCY: count(1, 1_000).default(4),
  PARLEY_AUDIO_DAILY_CHARACTERS: count(0, 2_000_000_000).default(1_000_000),
  PARLEY_AUDIO_RETENTION: durationMs.default(86_400_000),
  PARLEY_ESPEAK: espeak.default('auto'),
  ...TRANSCRIPTION_FIELDS,
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
});

const EVERY_HOST = /^(0\.0\.0\.0|\[::\]):/;

/** The configuration of a process of its own, from its environment. @throws ConfigError */
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
    transcription: transcriptionConfig(read),
    instance: read.PARLEY_INSTANCE,
    logLevel: read.PARLEY_LOG_LEVEL,
  };
}
