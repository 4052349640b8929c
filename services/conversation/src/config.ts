import { hostname } from 'node:os';
import { logLevel, url } from '@parley/kit/config/fields';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import type { LogLevel } from '@parley/kit/log/logger';
import type { Listen } from '@parley/kit/rpc/serve';
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

const BROKER = 'must be a URL with the scheme nats or tls, or several separated by commas';
const isBroker = (value: string) => url('nats', 'tls').safeParse(value.trim()).success;
const isListen = (value: string): value is `${string}:${number}` => /^\S+:\d{1,5}$/.test(value);

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  NATS_URL: z.string(BROKER).refine((value) => value.split(',').every(isBroker), BROKER),
  PARLEY_LISTEN: z.string('must look like host:port').refine(isListen, 'must look like host:port'),
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_INSTANCE: z.string().default(hostname()),
});

/** The configuration of a process of its own, from its environment. @throws ConfigError */
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
