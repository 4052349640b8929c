import { byteSize, integerBetween, durationMs, commaSeparatedList, listenAddress, logLevel, natsUrl, url } from '@parley/kit/config/fields';
import { type MigrateMode, migrateMode } from '@parley/kit/config/migrate-mode';
import { ConfigError, type Env, readConfig } from '@parley/kit/config/read-config';
import { type LogLevel } from '@parley/kit/log/logger';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { type ListenAddress } from '@parley/kit/rpc/serve';
import { hostname } from 'node:os';
import { z } from 'zod';
import { type Risk } from './domain/workflow.ts';
import { type EgressPolicy, parseEgressPolicy } from './steps/egress-policy.ts';

/** Configuration of the actions service; times are in milliseconds. */
export interface ActionsConfig {
  /** `postgres://…`; the service uses only its own schema. */
  databaseUrl: string;
  /** What to do with the migrations of the schema; with `only` the process migrates and does not start the service. @default 'start' */
  migrate?: MigrateMode;
  /** `nats://host:port`, several separated by commas. */
  natsUrl: string;
  /** Listener: `host:port` for gRPC (port 0 chooses a free one), or `in-process`. */
  listen: ListenAddress;
  chatRoutingAddress: ServiceAddress;
  audioAddress: ServiceAddress;
  assetAddress: ServiceAddress;
  /** Whether runs are accepted and executed; when false, accepted runs wait. @default true */
  executing: boolean;
  /** The highest risk of an action that may be run. @default 'write' */
  maxRisk: Risk;
  /** The highest risk of an applied effect that needs no review: a run with a higher one ends as `needs_review`. @default 'irreversible' */
  maxRiskWithoutReview: Risk;
  /** Maximum number of runs that this process executes concurrently. @default 4 */
  workers: number;
  /** Maximum number of concurrent runs of one workspace, over all replicas; further runs wait. @default 4 */
  workspaceConcurrency: number;
  /** Timeout of one step. @default 60 seconds */
  stepTimeoutMs: number;
  /** Timeout of a run, including waits. @default 15 minutes */
  runTimeoutMs: number;
  /**
   * How long a lease is valid without renewal: after this long without a sign of its worker, a run continues on another one.
   * @default 12 seconds
   */
  leaseMs: number;
  /** Hosts that steps may call besides the APIs of connections, and which of them need not be public. @default nothing */
  egress: EgressPolicy;
  /** Maximum size of an API's response in bytes. @default 1 MiB */
  maxResponseBytes: number;
  /**
   * Number of processes that read files, of which one workspace gets at most all but one, and the timeout per file.
   * @default 2, and 5 seconds
   */
  textExtraction: { readers: number; timeMs: number };
  /** How long runs are kept after their end. @default 30 days */
  retentionMs: number;
  /** Stable name of this process, used in leases and for the broker. @default the host name */
  instance: string;
  /** @default 'info' */
  logLevel: LogLevel;
}

const risk = z.enum(['read', 'write', 'irreversible'], 'must be read, write or irreversible');

const SCHEMA = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  PARLEY_MIGRATE: migrateMode,
  NATS_URL: natsUrl,
  PARLEY_LISTEN: listenAddress,
  PARLEY_CHAT_ROUTING_ADDRESS: z.string().min(1),
  PARLEY_AUDIO_ADDRESS: z.string().min(1),
  PARLEY_ASSET_ADDRESS: z.string().min(1),
  PARLEY_ACTIONS: z.enum(['enabled', 'disabled'], 'must be enabled or disabled').default('enabled'),
  PARLEY_ACTIONS_RISK: risk.default('write'),
  PARLEY_ACTIONS_UNREVIEWED_RISK: risk.default('irreversible'),
  PARLEY_ACTIONS_WORKERS: integerBetween(1, 64).default(4),
  PARLEY_ACTIONS_WORKSPACE_CONCURRENCY: integerBetween(1, 1_000).default(4),
  PARLEY_ACTIONS_STEP_TIMEOUT: durationMs.default(60_000),
  PARLEY_ACTIONS_RUN_TIMEOUT: durationMs.default(900_000),
  PARLEY_ACTIONS_LEASE: durationMs.default(12_000),
  PARLEY_ACTIONS_ALLOWED_HOSTS: commaSeparatedList.default([]),
  PARLEY_ACTIONS_ALLOWED_NETWORKS: commaSeparatedList.default([]),
  PARLEY_ACTIONS_MAX_RESPONSE: byteSize.default(1_024 ** 2),
  PARLEY_FILE_READERS: integerBetween(1, 64).default(2),
  PARLEY_FILE_READ_MS: durationMs.default(5_000),
  PARLEY_ACTIONS_RETENTION: durationMs.default(30 * 86_400_000),
  PARLEY_INSTANCE: z.string().min(1).default(hostname()),
  PARLEY_LOG_LEVEL: logLevel,
});

/** Reads the configuration of a separate process from its environment. @throws ConfigError */
export function readActionsConfig(env: Env): ActionsConfig {
  const read = readConfig(SCHEMA, env);
  return {
    databaseUrl: read.DATABASE_URL,
    migrate: read.PARLEY_MIGRATE,
    natsUrl: read.NATS_URL,
    listen: read.PARLEY_LISTEN,
    chatRoutingAddress: read.PARLEY_CHAT_ROUTING_ADDRESS,
    audioAddress: read.PARLEY_AUDIO_ADDRESS,
    assetAddress: read.PARLEY_ASSET_ADDRESS,
    executing: read.PARLEY_ACTIONS === 'enabled',
    maxRisk: read.PARLEY_ACTIONS_RISK,
    maxRiskWithoutReview: read.PARLEY_ACTIONS_UNREVIEWED_RISK,
    workers: read.PARLEY_ACTIONS_WORKERS,
    workspaceConcurrency: read.PARLEY_ACTIONS_WORKSPACE_CONCURRENCY,
    stepTimeoutMs: read.PARLEY_ACTIONS_STEP_TIMEOUT,
    runTimeoutMs: read.PARLEY_ACTIONS_RUN_TIMEOUT,
    leaseMs: read.PARLEY_ACTIONS_LEASE,
    egress: toEgressPolicy(read.PARLEY_ACTIONS_ALLOWED_HOSTS, read.PARLEY_ACTIONS_ALLOWED_NETWORKS),
    maxResponseBytes: read.PARLEY_ACTIONS_MAX_RESPONSE,
    textExtraction: { readers: read.PARLEY_FILE_READERS, timeMs: read.PARLEY_FILE_READ_MS },
    retentionMs: read.PARLEY_ACTIONS_RETENTION,
    instance: read.PARLEY_INSTANCE,
    logLevel: read.PARLEY_LOG_LEVEL,
  };
}

function toEgressPolicy(hosts: readonly string[], networks: readonly string[]): EgressPolicy {
  try {
    return parseEgressPolicy(hosts, networks);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'not readable';
    throw new ConfigError(`bad configuration: PARLEY_ACTIONS_ALLOWED_HOSTS or PARLEY_ACTIONS_ALLOWED_NETWORKS: ${why}`, { cause });
  }
}
