import { listen, logLevel, natsUrl, partitions, url } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { type Listen } from '@parley/kit/rpc/serve';
import { z } from 'zod';

/** What the usage service needs to run. */
export interface UsageConfig {
  /** `postgres://…`; the service keeps to its own schema in it. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; `only` is the concern of the process, which then does not start this. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Listener: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: Listen;
  /** The conversation service, whose record the usage is compared with; without it there is no `parley_usage_capture_ratio`. */
  conversationAddress?: Address | undefined;
  /** @default 'info' */
  logLevel: LogLevel;
  /** Records of usage are partitioned by month. @default false */
  isMonthly?: boolean;
}

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listen,
  PARLEY_CONVERSATION_ADDRESS: z.string().optional(),
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_PARTITIONS: partitions,
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
    isMonthly: read.PARLEY_PARTITIONS === 'monthly',
  };
}
