import { durationMs, listenAddress, logLevel, natsUrl, partitionMode, url } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type Retention } from './retention/retention.ts';

/** Settings of the conversation service. */
export interface ConversationConfig {
  /** `postgres://…`; the service uses only its own schema. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only`, the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: ListenAddress;
  logLevel: LogLevel;
  /** Stable name of this process, shown to the broker. */
  instance: string;
  /** @default nothing is partitioned, and nothing deleted */
  retention?: Retention;
}

const DAY = 86_400_000;

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress,
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_INSTANCE: z.string().default(hostname()),
  PARLEY_PARTITIONS: partitionMode,
  PARLEY_RETENTION_CONVERSATIONS: durationMs.refine((ms) => ms >= DAY, 'must be a day or more').optional(),
});

/** Reads the configuration from the environment of the process. @throws ConfigError */
export function readConversationConfig(env: Env): ConversationConfig {
  const read = readConfig(SCHEMA, env);
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    logLevel: read.PARLEY_LOG_LEVEL,
    instance: read.PARLEY_INSTANCE,
    retention: { hasMonthlyPartitions: read.PARLEY_PARTITIONS === 'monthly', retentionMs: read.PARLEY_RETENTION_CONVERSATIONS },
  };
}
