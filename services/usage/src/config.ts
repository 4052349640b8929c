import { listenAddress, logLevel, natsUrl, partitionMode, url } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { z } from 'zod';

/** Configuration of the usage service. */
export interface UsageConfig {
  /** `postgres://…`; the service uses only its own schema. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only` the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Listener: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: ListenAddress;
  /**
   * Address of the conversation service, with whose record the usage is compared; without it `parley_usage_capture_ratio` is not reported.
   */
  conversationAddress?: ServiceAddress | undefined;
  /** @default 'info' */
  logLevel: LogLevel;
  /** Whether usage records are partitioned by month. @default false */
  hasMonthlyPartitions?: boolean;
}

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress,
  PARLEY_CONVERSATION_ADDRESS: z.string().optional(),
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_PARTITIONS: partitionMode,
});

/** Reads the configuration from the environment of the process. @throws ConfigError */
export function readUsageConfig(env: Env): UsageConfig {
  const read = readConfig(SCHEMA, env);
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    conversationAddress: read.PARLEY_CONVERSATION_ADDRESS,
    logLevel: read.PARLEY_LOG_LEVEL,
    hasMonthlyPartitions: read.PARLEY_PARTITIONS === 'monthly',
  };
}
