import { readActionsConfig } from '@parley/actions/config';
import { readAssetConfig } from '@parley/asset/config';
import { readAudioConfig } from '@parley/audio/config';
import { readChatRoutingConfig } from '@parley/chat-routing/config';
import { readConversationConfig } from '@parley/conversation/config';
import { readEdgeSettings } from '@parley/edge/config';
import { durationMs, logLevel, natsUrl, port, url } from '@parley/kit/config/fields';
import { type Env, readConfig } from '@parley/kit/config/read-config';
import { readTelemetryConfig } from '@parley/kit/telemetry/telemetry';
import { readUsageConfig } from '@parley/usage/config';
import { resolve } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  PARLEY_PORT: port.default(8080),
  PARLEY_DATA_DIR: z.string().default('.parley'),
  PARLEY_TOPOLOGY: z.enum(['single', 'separate'], 'must be single or separate').default('single'),
  PARLEY_API_KEY: z
    .string()
    .regex(/^gmk_live_[0-9A-Za-z]{20,100}$/, 'must be gmk_live_ followed by 20 to 100 letters and digits')
    .optional(),
  PARLEY_OPERATOR_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  NATS_URL: natsUrl.optional(),
  PARLEY_SANDBOX_DELAY_MS: durationMs.optional(),
  PARLEY_SANDBOX_CONTROL: z.enum(['0', '1'], 'must be 0 or 1').optional(),
  PARLEY_EXAMPLE_ACTIONS: z.enum(['enabled', 'disabled'], 'must be enabled or disabled').default('enabled'),
  PARLEY_LOG_LEVEL: logLevel,
});

/** The settings of `npm start` from its environment. */
export interface LocalSettings {
  /** Port of the edge on 127.0.0.1; 0 chooses a free one. @default 8080 */
  port: number;
  /** Absolute path. @default '.parley' */
  dataDir: string;
  /** One process for the whole composition, or one for each service. @default 'single' */
  topology: 'single' | 'separate';
  /** The preset bootstrap key. @default created on the first run */
  apiKey: string | undefined;
  /** The operator key. @default created on the first run */
  operatorKey: string | undefined;
  /** URL of the database. @default an embedded PostgreSQL */
  databaseUrl: string | undefined;
  /** URL of the message broker. @default an embedded NATS server */
  natsUrl: string | undefined;
  /** Pause between the sandbox's deltas, in milliseconds. @default human-like */
  sandboxDelayMs: number | undefined;
  /** Whether the sandbox opens its control endpoint, for tests and development. @default false */
  sandboxControl: boolean;
  /** Whether the first start publishes the documented actions. @default true */
  exampleActions: boolean;
  logLevel: z.infer<typeof logLevel>;
  /** The environment, which is passed on to the services. */
  env: Env;
}

/** Reads the settings, and checks those of the services. Throws ConfigError with one line. */
export function readSettings(env: Env): LocalSettings {
  const read = readConfig(schema, env);
  checkServiceSettings(env);
  return {
    port: read.PARLEY_PORT,
    dataDir: resolve(read.PARLEY_DATA_DIR),
    topology: read.PARLEY_TOPOLOGY,
    apiKey: read.PARLEY_API_KEY,
    operatorKey: read.PARLEY_OPERATOR_KEY,
    databaseUrl: read.DATABASE_URL,
    natsUrl: read.NATS_URL,
    sandboxDelayMs: read.PARLEY_SANDBOX_DELAY_MS,
    sandboxControl: read.PARLEY_SANDBOX_CONTROL === '1',
    exampleActions: read.PARLEY_EXAMPLE_ACTIONS === 'enabled',
    logLevel: read.PARLEY_LOG_LEVEL,
    env,
  };
}

/** Stands in for the variables that the composition sets for the services. */
const GIVEN = {
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  NATS_URL: 'nats://127.0.0.1:4222',
  PARLEY_LISTEN: '127.0.0.1:0',
  PARLEY_CONVERSATION_ADDRESS: 'in-process',
  PARLEY_CHAT_ROUTING_ADDRESS: 'in-process',
  PARLEY_AUDIO_ADDRESS: 'in-process',
  PARLEY_ASSET_ADDRESS: 'in-process',
  PARLEY_SANDBOX_URL: 'http://127.0.0.1',
};

/** Throws ConfigError for a variable that a service would reject, before anything starts. */
function checkServiceSettings(env: Env): void {
  const ring = env['PARLEY_SECRET_KEYS'] || `k1:${Buffer.alloc(32).toString('base64')}`;
  const given = { ...env, ...GIVEN, PARLEY_SECRET_KEYS: ring, PARLEY_BLOB_STORE: env['PARLEY_BLOB_STORE'] || '/blobs' };
  const services = [readChatRoutingConfig, readConversationConfig, readUsageConfig, readAssetConfig, readAudioConfig, readActionsConfig];
  for (const read of [readEdgeSettings, readTelemetryConfig, ...services]) read(given);
}
