import { hostname } from 'node:os';
import { type BlobConfig, blobLocation } from '@parley/kit/blob/open-blob-store';
import { bytes, count, durationMs, listen, logLevel, natsUrl, url, secretKeys } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { type Listen } from '@parley/kit/rpc/serve';
import { z } from 'zod';

/** What the asset service needs to run; times in milliseconds. */
export interface AssetConfig {
  /** `postgres://…`; the service keeps to its own schema in it. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; `only` is the concern of the process, which then does not start this. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Where to answer calls: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: Listen;
  chatRoutingAddress: Address;
  conversationAddress: Address;
  /** Download tickets are signed with what is derived from the first, and checked with all of them. */
  secretKeys: readonly Buffer[];
  blobs: BlobConfig;
  /** Where downloads are answered; port 0 chooses a free one. @default '127.0.0.1:0' */
  httpListen: `${string}:${number}`;
  /** How the edge reaches that, without a slash at the end. @default the bound address */
  httpUrl: string | undefined;
  /** What a generated asset may have in bytes. @default 200 MiB */
  maxBytes: number;
  /** Generated assets that this process fetches at once. @default 4 */
  workers: number;
  /** How long a generated asset may take from its discovery or retry until it fails. @default 10 minutes */
  giveUpMs: number;
  /** How long generated assets are kept. @default as long as their conversation, or as their maker says */
  retentionMs: number | undefined;
  /** What a file for an action may have in bytes. @default 20 MiB */
  maxActionInputBytes: number;
  /** How long a file for an action waits for its run. @default 24 hours */
  actionInputTtlMs: number;
  /** Stable name of this process, shown to the broker and in leases. @default the host name */
  instance: string;
  /** @default 'info' */
  logLevel: LogLevel;
}

const MIB = 1_024 ** 2;

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listen,
  PARLEY_CHAT_ROUTING_ADDRESS: z.string().min(1),
  PARLEY_CONVERSATION_ADDRESS: z.string().min(1),
  PARLEY_SECRET_KEYS: secretKeys,
  PARLEY_BLOB_STORE: blobLocation,
  PARLEY_ASSET_HTTP_LISTEN: listen.default('127.0.0.1:0'),
  PARLEY_ASSET_HTTP_URL: url('http', 'https').optional(),
  PARLEY_ASSET_MAX_BYTES: bytes.default(200 * MIB),
  PARLEY_ASSET_WORKERS: count(1, 64).default(4),
  PARLEY_ASSET_GIVE_UP: durationMs.default(600_000),
  PARLEY_ASSET_RETENTION: durationMs.optional(),
  PARLEY_MAX_ACTION_ASSET: bytes.default(20 * MIB),
  PARLEY_ACTION_ASSET_TTL: durationMs.default(86_400_000),
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
});

const EVERY_HOST = /^(0\.0\.0\.0|\[::\]):/;

/** The configuration of a process of its own, from its environment. @throws ConfigError */
export function readAssetConfig(env: Env): AssetConfig {
  const read = readConfig(SCHEMA, env);
  const { PARLEY_ASSET_HTTP_LISTEN: httpListen, PARLEY_ASSET_HTTP_URL: httpUrl } = read;
  if (httpUrl === undefined && EVERY_HOST.test(httpListen)) {
    throw new ConfigError('bad configuration: PARLEY_ASSET_HTTP_URL must say how the edge reaches PARLEY_ASSET_HTTP_LISTEN');
  }
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    chatRoutingAddress: read.PARLEY_CHAT_ROUTING_ADDRESS,
    conversationAddress: read.PARLEY_CONVERSATION_ADDRESS,
    secretKeys: read.PARLEY_SECRET_KEYS.map(({ key }) => key),
    blobs: read.PARLEY_BLOB_STORE,
    httpListen,
    httpUrl: httpUrl?.replace(/\/+$/, ''),
    maxBytes: read.PARLEY_ASSET_MAX_BYTES,
    workers: read.PARLEY_ASSET_WORKERS,
    giveUpMs: read.PARLEY_ASSET_GIVE_UP,
    retentionMs: read.PARLEY_ASSET_RETENTION,
    maxActionInputBytes: read.PARLEY_MAX_ACTION_ASSET,
    actionInputTtlMs: read.PARLEY_ACTION_ASSET_TTL,
    instance: read.PARLEY_INSTANCE,
    logLevel: read.PARLEY_LOG_LEVEL,
  };
}
