import { type BlobConfig, blobLocationField } from '@parley/kit/blob/open-blob-store';
import { byteSize, integerBetween, durationMs, listenAddress, logLevel, natsUrl, url, secretKeys } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { hostname } from 'node:os';
import { z } from 'zod';

/** Configuration of the asset service; times are in milliseconds. */
export interface AssetConfig {
  /** `postgres://…`; the service uses only its own schema. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only` the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Listener: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: ListenAddress;
  chatRoutingAddress: ServiceAddress;
  conversationAddress: ServiceAddress;
  /** Secrets from which the keys of download tickets are derived; the first signs, all of them verify. */
  secretKeys: readonly Buffer[];
  blobs: BlobConfig;
  /** Address of the HTTP listener for downloads; port 0 chooses a free one. @default '127.0.0.1:0' */
  httpListen: `${string}:${number}`;
  /** Base URL at which the edge reaches that listener, without a trailing slash. @default the bound address */
  httpUrl: string | undefined;
  /** Maximum size of a generated asset in bytes. @default 200 MiB */
  maxBytes: number;
  /** Maximum number of generated assets that this process fetches concurrently. @default 4 */
  workers: number;
  /** How long a generated asset may take from its discovery or retry until it fails. @default 10 minutes */
  ingestTimeoutMs: number;
  /** How long generated assets are kept. @default as long as their conversation, or as the service that created them requests */
  retentionMs: number | undefined;
  /** Maximum size of a file for an action in bytes. @default 20 MiB */
  maxActionInputBytes: number;
  /** How long a file for an action waits for its run. @default 24 hours */
  actionInputTtlMs: number;
  /** Stable name of this process, used in leases and for the broker. @default the host name */
  instance: string;
  /** @default 'info' */
  logLevel: LogLevel;
}

const MIB = 1_024 ** 2;

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress,
  PARLEY_CHAT_ROUTING_ADDRESS: z.string().min(1),
  PARLEY_CONVERSATION_ADDRESS: z.string().min(1),
  PARLEY_SECRET_KEYS: secretKeys,
  PARLEY_BLOB_STORE: blobLocationField,
  PARLEY_ASSET_HTTP_LISTEN: listenAddress.default('127.0.0.1:0'),
  PARLEY_ASSET_HTTP_URL: url('http', 'https').optional(),
  PARLEY_ASSET_MAX_BYTES: byteSize.default(200 * MIB),
  PARLEY_ASSET_WORKERS: integerBetween(1, 64).default(4),
  PARLEY_ASSET_GIVE_UP: durationMs.default(600_000),
  PARLEY_ASSET_RETENTION: durationMs.optional(),
  PARLEY_MAX_ACTION_ASSET: byteSize.default(20 * MIB),
  PARLEY_ACTION_ASSET_TTL: durationMs.default(86_400_000),
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
});

const EVERY_HOST = /^(0\.0\.0\.0|\[::\]):/;

/** Reads the configuration of a separate process from its environment. @throws ConfigError */
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
    ingestTimeoutMs: read.PARLEY_ASSET_GIVE_UP,
    retentionMs: read.PARLEY_ASSET_RETENTION,
    maxActionInputBytes: read.PARLEY_MAX_ACTION_ASSET,
    actionInputTtlMs: read.PARLEY_ACTION_ASSET_TTL,
    instance: read.PARLEY_INSTANCE,
    logLevel: read.PARLEY_LOG_LEVEL,
  };
}
