import { hostname } from 'node:os';
import { listen, logLevel, natsUrl, url } from '@parley/kit/config/fields';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type Listen } from '@parley/kit/rpc/serve';
import { z } from 'zod';

/** What the conversation service needs to run. */
export interface ConversationConfig {
  /** `postgres://…`; the service keeps to its own schema in it. */
  databaseUrl: string;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: Listen;
  logLevel: LogLevel;
  /** Stable name of this process, shown to the broker. */
  instance: string;
}

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listen,
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_INSTANCE: z.string().default(hostname()),
});

/** Reads the configuration from the environment of the process. @throws ConfigError */
export function readConversationConfig(env: Env): ConversationConfig {
  const read = readConfig(SCHEMA, env);
  return {
    databaseUrl: read.DATABASE_URL,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    logLevel: read.PARLEY_LOG_LEVEL,
    instance: read.PARLEY_INSTANCE,
  };
}
