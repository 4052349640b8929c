import {
  byteSize,
  integerBetween,
  durationMs,
  commaSeparatedList,
  logLevel,
  natsUrl,
  port,
  secret,
  secretKeys,
  url,
} from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type SecretKey } from '@parley/kit/secrets/secret-box';
import { type QuotaSubjectKind } from '@parley/protos/quotas';
import { hostname } from 'node:os';
import { z } from 'zod';
import {
  corsOrigin,
  initAdminEmail,
  proxyAddress,
  presetKey,
  type RatePolicy,
  ratePolicy,
  type ThrottleStoreLocation,
  throttleStoreLocation,
} from './config/fields.ts';
import { type OidcProviderSettings, readOidcProviders } from './config/oidc.ts';
import { type QuotaPolicies, quotaPolicy } from './config/quota-policy.ts';

/** Addresses of the services that the edge calls. */
export interface ServiceAddresses {
  chatRoutingAddress: ServiceAddress;
  conversationAddress: ServiceAddress;
  usageAddress: ServiceAddress;
  assetAddress: ServiceAddress;
  audioAddress: ServiceAddress;
  actionsAddress: ServiceAddress;
}

/** Classes of rate limits by client address; each operation has at most one. */
export type ThrottleClass = 'rate_limit' | 'upload_rate_limit' | 'tts_rate_limit';

/** The edge's configuration. Durations are milliseconds, sizes bytes. */
export interface EdgeConfig extends ServiceAddresses {
  /** @default '127.0.0.1' */
  host: string;
  /** Port to listen on; 0 chooses a free one. @default 8080 */
  port: number;
  databaseUrl: string;
  /** How migrations of the schema are handled; with `only`, the process migrates and does not start the edge. @default 'start' */
  migrate?: MigrateMode;
  natsUrl: string;
  /** @default 'info' */
  logLevel: LogLevel;
  /** How the services are deployed; shown on the status page. @default 'separate' */
  topology: 'single' | 'separate';
  /** Stable name of this process. @default the host name */
  instance: string;
  /** An API key with every scope that is created with the first start; undefined for none. */
  apiKey: string | undefined;
  /** The operator key, which is exchanged for tokens of the control plane; without it there is no such exchange. */
  operatorKey: string | undefined;
  /** The origin that clients use, without a trailing slash. @default the address a request came to */
  publicUrl: string | undefined;
  /** Keys that encrypt the stored secrets of second factors, OIDC providers and signing keys; the first is the current one. */
  secretKeys: readonly SecretKey[];
  /** The first owner of the gateway, created at the start while there is none. @default created with a setup link */
  initAdmin: { email: string; password: string } | undefined;
  /** A login session that is unused for this long expires. @default 12 hours */
  sessionIdleMs: number;
  /** A login session expires after this long in any case. @default 30 days */
  sessionMaxMs: number;
  /** OpenID Connect providers from the environment; others are configured through the API. @default none */
  oidcProviders: readonly OidcProviderSettings[];
  /** Whether the default workspace is connected to the sandbox; shown on the page at `/`. @default false */
  sandbox: boolean;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. @default none */
  trustedProxies: readonly string[];
  /** Origins from which browsers may call `/v1`; `*` for any. Never with credentials. @default ['*'] */
  corsOrigins: readonly string[];
  throttle: Readonly<Record<ThrottleClass, RatePolicy>>;
  /**
   * Wrong keys that one address may send before it is rejected for the rest of the window, even with the operator key.
   * @default 30 per 1 minute
   */
  operatorKeyLimit: RatePolicy;
  /** Store of the throttle counters: `memory`, `postgres`, or the URL of a Redis. @default 'memory' */
  throttleStore: ThrottleStoreLocation;
  /** How long a request waits for a shared store before its edge counts in memory. @default 250 ms */
  throttleStoreWaitMs: number;
  /** Body of a 429 of the endpoint throttle: a string, or the error envelope. @default 'string' */
  throttleErrorFormat: 'string' | 'object';
  /** Largest chat body. @default 20 MiB */
  maxChatBodyBytes: number;
  /** Largest JSON body of any other operation. @default 1 MiB */
  maxBodyBytes: number;
  /** Bytes of large bodies that one workspace may have in progress at this edge. @default 64 MiB */
  workspaceBodyBytes: number;
  /** Bytes of large bodies of all workspaces together at this edge. @default 256 MiB */
  totalBodyBytes: number;
  /** Largest input file of an action. @default 20 MiB */
  maxActionAssetBytes: number;
  /** How long the headers of a request may take to arrive. @default 30 s */
  headersTimeoutMs: number;
  /** How long a whole request may take to arrive. @default 5 min */
  requestTimeoutMs: number;
  /** How long a client may pause while it sends a body. @default 30 s */
  bodyIdleMs: number;
  /** How long an idle connection is kept. @default 75 s */
  keepAliveMs: number;
  /** How long a stopping process waits for requests in progress. @default 50 s */
  drainMs: number;
  /** How long a stopping edge serves new requests while its probes fail, so that load balancers remove it. @default 15 s */
  lameDuckMs: number;
  /** How long a whole chat turn may take. @default 10 min */
  turnDeadlineMs: number;
  /**
   * Concurrent chat answers, uploads, transcriptions and speech of a workspace at this edge, when the workspace has no limit set.
   * @default 5_000
   */
  workspaceConcurrency: number;
  /** Pause between keep-alive comments of a silent stream. @default 15 s */
  pingIntervalMs: number;
  /** How long an answer waits for its assets after its text. @default 60 s */
  assetWaitMs: number;
  /** How long a client may not read its stream before it is disconnected. @default 60 s */
  stalledClientMs: number;
  /** Default quotas of keys and of workspaces. @default none */
  quotas: Readonly<Record<QuotaSubjectKind, QuotaPolicies>>;
  /** Tokens that are reserved for the answer of a chat, for a key with a token quota. @default 1000 */
  quotaAnswerTokens: number;
}

const address = z.string().min(1, 'must be host:port or dns:///name:port, or several of these separated by commas');

const SCHEMA = z.object({
  PARLEY_HOST: z.string().default('127.0.0.1'),
  PARLEY_PORT: port.default(8080),
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LOG_LEVEL: logLevel,
  PARLEY_TOPOLOGY: z.enum(['single', 'separate'], 'must be single or separate').default('separate'),
  PARLEY_INSTANCE: z.string().default(hostname()),
  PARLEY_API_KEY: presetKey.optional(),
  PARLEY_OPERATOR_KEY: secret(16).optional(),
  PARLEY_SECRET_KEYS: secretKeys,
  PARLEY_INIT_ADMIN_EMAIL: initAdminEmail.optional(),
  PARLEY_INIT_ADMIN_PASSWORD: secret(12).optional(),
  PARLEY_SESSION_IDLE: durationMs.default(12 * 3_600_000),
  PARLEY_SESSION_MAX: durationMs.default(30 * 86_400_000),
  PARLEY_PUBLIC_URL: url('http', 'https')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  PARLEY_SANDBOX_URL: url('http', 'https').optional(),
  PARLEY_TRUSTED_PROXIES: commaSeparatedList.pipe(z.array(proxyAddress)).default([]),
  PARLEY_CORS_ORIGINS: commaSeparatedList.pipe(z.array(corsOrigin)).default(['*']),
  PARLEY_THROTTLE_RATE_LIMIT: ratePolicy.default({ points: 6_000, seconds: 60, text: '6000 per 1 minute' }),
  PARLEY_THROTTLE_UPLOAD_RATE_LIMIT: ratePolicy.default({ points: 600, seconds: 60, text: '600 per 1 minute' }),
  PARLEY_THROTTLE_TTS_RATE_LIMIT: ratePolicy.default({ points: 600, seconds: 60, text: '600 per 1 minute' }),
  PARLEY_THROTTLE_OPERATOR_KEY: ratePolicy.default({ points: 30, seconds: 60, text: '30 per 1 minute' }),
  PARLEY_THROTTLE_STORE: throttleStoreLocation.default('memory'),
  PARLEY_THROTTLE_STORE_TIMEOUT: durationMs.default(250),
  THROTTLE_ERROR_FORMAT: z.enum(['string', 'object'], 'must be string or object').default('string'),
  PARLEY_MAX_CHAT_BODY: byteSize.default(20 * 1_024 * 1_024),
  PARLEY_MAX_BODY: byteSize.default(1_024 * 1_024),
  PARLEY_WORKSPACE_BODY_BYTES: byteSize.default(64 * 1_024 * 1_024),
  PARLEY_TOTAL_BODY_BYTES: byteSize.default(256 * 1_024 * 1_024),
  PARLEY_MAX_ACTION_ASSET: byteSize.default(20 * 1_024 * 1_024),
  PARLEY_HEADERS_TIMEOUT: durationMs.default(30_000),
  PARLEY_REQUEST_TIMEOUT: durationMs.default(300_000),
  PARLEY_BODY_IDLE_TIMEOUT: durationMs.default(30_000),
  PARLEY_KEEP_ALIVE_TIMEOUT: durationMs.default(75_000),
  PARLEY_DRAIN_TIMEOUT: durationMs.default(50_000),
  PARLEY_LAME_DUCK: durationMs.default(15_000),
  PARLEY_TURN_MS: durationMs.default(600_000),
  PARLEY_WORKSPACE_CONCURRENCY: integerBetween(1, 1_000_000).default(5_000),
  PARLEY_PING_INTERVAL: durationMs.default(15_000),
  PARLEY_ASSET_WAIT: durationMs.default(60_000),
  PARLEY_STALLED_CLIENT_TIMEOUT: durationMs.default(60_000),
  PARLEY_KEY_QUOTA_REQUESTS: quotaPolicy.optional(),
  PARLEY_KEY_QUOTA_TOKENS: quotaPolicy.optional(),
  PARLEY_KEY_QUOTA_AUDIO_SECONDS: quotaPolicy.optional(),
  PARLEY_WORKSPACE_QUOTA_REQUESTS: quotaPolicy.optional(),
  PARLEY_WORKSPACE_QUOTA_TOKENS: quotaPolicy.optional(),
  PARLEY_WORKSPACE_QUOTA_AUDIO_SECONDS: quotaPolicy.optional(),
  PARLEY_QUOTA_ANSWER_TOKENS: integerBetween(0, 1_000_000).default(1_000),
  PARLEY_CHAT_ROUTING_ADDRESS: address,
  PARLEY_CONVERSATION_ADDRESS: address,
  PARLEY_USAGE_ADDRESS: address,
  PARLEY_ASSET_ADDRESS: address,
  PARLEY_AUDIO_ADDRESS: address,
  PARLEY_ACTIONS_ADDRESS: address,
});

/** The configuration without the service addresses, which the single-process composition sets itself. */
export type EdgeSettings = Omit<EdgeConfig, keyof ServiceAddresses>;

/** Reads the edge's configuration from the environment. @throws ConfigError with one line that names the invalid variable */
export function readEdgeConfig(env: Env): EdgeConfig {
  const read = readConfig(SCHEMA, env);
  return {
    ...settings(read, env),
    chatRoutingAddress: read.PARLEY_CHAT_ROUTING_ADDRESS,
    conversationAddress: read.PARLEY_CONVERSATION_ADDRESS,
    usageAddress: read.PARLEY_USAGE_ADDRESS,
    assetAddress: read.PARLEY_ASSET_ADDRESS,
    audioAddress: read.PARLEY_AUDIO_ADDRESS,
    actionsAddress: read.PARLEY_ACTIONS_ADDRESS,
  };
}

const SETTINGS = SCHEMA.omit({
  PARLEY_CHAT_ROUTING_ADDRESS: true,
  PARLEY_CONVERSATION_ADDRESS: true,
  PARLEY_USAGE_ADDRESS: true,
  PARLEY_ASSET_ADDRESS: true,
  PARLEY_AUDIO_ADDRESS: true,
  PARLEY_ACTIONS_ADDRESS: true,
});

/** Reads the configuration without the service addresses. @throws ConfigError with one line that names the invalid variable */
export function readEdgeSettings(env: Env): EdgeSettings {
  return settings(readConfig(SETTINGS, env), env);
}

function settings(read: z.output<typeof SETTINGS>, env: Env): EdgeSettings {
  return {
    host: read.PARLEY_HOST,
    port: read.PARLEY_PORT,
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    logLevel: read.PARLEY_LOG_LEVEL,
    topology: read.PARLEY_TOPOLOGY,
    instance: read.PARLEY_INSTANCE,
    apiKey: read.PARLEY_API_KEY,
    operatorKey: read.PARLEY_OPERATOR_KEY,
    publicUrl: read.PARLEY_PUBLIC_URL,
    secretKeys: read.PARLEY_SECRET_KEYS,
    initAdmin: initAdmin(read),
    sessionIdleMs: read.PARLEY_SESSION_IDLE,
    sessionMaxMs: read.PARLEY_SESSION_MAX,
    oidcProviders: readOidcProviders(env),
    sandbox: read.PARLEY_SANDBOX_URL !== undefined,
    trustedProxies: read.PARLEY_TRUSTED_PROXIES,
    corsOrigins: read.PARLEY_CORS_ORIGINS,
    throttle: {
      rate_limit: read.PARLEY_THROTTLE_RATE_LIMIT,
      upload_rate_limit: read.PARLEY_THROTTLE_UPLOAD_RATE_LIMIT,
      tts_rate_limit: read.PARLEY_THROTTLE_TTS_RATE_LIMIT,
    },
    operatorKeyLimit: read.PARLEY_THROTTLE_OPERATOR_KEY,
    throttleStore: read.PARLEY_THROTTLE_STORE,
    throttleStoreWaitMs: read.PARLEY_THROTTLE_STORE_TIMEOUT,
    throttleErrorFormat: read.THROTTLE_ERROR_FORMAT,
    maxChatBodyBytes: read.PARLEY_MAX_CHAT_BODY,
    maxBodyBytes: read.PARLEY_MAX_BODY,
    workspaceBodyBytes: read.PARLEY_WORKSPACE_BODY_BYTES,
    totalBodyBytes: read.PARLEY_TOTAL_BODY_BYTES,
    maxActionAssetBytes: read.PARLEY_MAX_ACTION_ASSET,
    headersTimeoutMs: read.PARLEY_HEADERS_TIMEOUT,
    requestTimeoutMs: read.PARLEY_REQUEST_TIMEOUT,
    bodyIdleMs: read.PARLEY_BODY_IDLE_TIMEOUT,
    keepAliveMs: read.PARLEY_KEEP_ALIVE_TIMEOUT,
    drainMs: read.PARLEY_DRAIN_TIMEOUT,
    lameDuckMs: read.PARLEY_LAME_DUCK,
    turnDeadlineMs: read.PARLEY_TURN_MS,
    workspaceConcurrency: read.PARLEY_WORKSPACE_CONCURRENCY,
    pingIntervalMs: read.PARLEY_PING_INTERVAL,
    assetWaitMs: read.PARLEY_ASSET_WAIT,
    stalledClientMs: read.PARLEY_STALLED_CLIENT_TIMEOUT,
    quotas: quotaDefaults(read),
    quotaAnswerTokens: read.PARLEY_QUOTA_ANSWER_TOKENS,
  };
}

function initAdmin({
  PARLEY_INIT_ADMIN_EMAIL: email,
  PARLEY_INIT_ADMIN_PASSWORD: password,
}: z.output<typeof SETTINGS>): EdgeSettings['initAdmin'] {
  if (email !== undefined && password !== undefined) return { email, password };
  if (email === undefined && password === undefined) return undefined;
  throw new ConfigError('PARLEY_INIT_ADMIN_EMAIL and PARLEY_INIT_ADMIN_PASSWORD go together');
}

function quotaDefaults(read: z.output<typeof SETTINGS>): EdgeSettings['quotas'] {
  return {
    key: {
      requests: read.PARLEY_KEY_QUOTA_REQUESTS,
      tokens: read.PARLEY_KEY_QUOTA_TOKENS,
      audioSeconds: read.PARLEY_KEY_QUOTA_AUDIO_SECONDS,
    },
    workspace: {
      requests: read.PARLEY_WORKSPACE_QUOTA_REQUESTS,
      tokens: read.PARLEY_WORKSPACE_QUOTA_TOKENS,
      audioSeconds: read.PARLEY_WORKSPACE_QUOTA_AUDIO_SECONDS,
    },
  };
}
