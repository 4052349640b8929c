import { TextExtractor } from '@parley/file-content/extract';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { migrate } from '@parley/kit/db/migrate';
import { openPool } from '@parley/kit/db/pool';
import { type Disposables, startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { startRelay } from '@parley/kit/outbox/relay';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Address, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION } from '@parley/protos/subjects';
import { type AnyAccount, isChatAccount } from './accounts/account.ts';
import { Accounts } from './accounts/accounts.ts';
import { CleanupQueue } from './accounts/cleanup-queue.ts';
import { ConnectionLeases } from './accounts/connection-leases.ts';
import { Prober } from './accounts/prober.ts';
import { startModelRefresh } from './accounts/refresh-models.ts';
import { connectSandbox } from './accounts/sandbox-accounts.ts';
import { type ChatRoutingConfig } from './config.ts';
import { type BreakerPolicy, DEFAULT_POLICY } from './domain/breaker.ts';
import { SecretBox } from './domain/secret-box.ts';
import { SourceFollower } from './files/source-follower.ts';
import { createHandlers } from './handlers/table.ts';
import { startHeartbeat } from './heartbeat.ts';
import { Pools } from './providers/pools.ts';
import { ProviderRegistry } from './providers/registry.ts';
import { ConnectionStore } from './store/connections.ts';
import { FileStore } from './store/files.ts';
import { HealthStore } from './store/health.ts';
import { ProjectStore } from './store/projects.ts';
import { MIGRATIONS, openPrisma, SCHEMA } from './store/prisma.ts';
import { RemovedConnectionStore } from './store/removed-connections.ts';
import { RoutingRuleStore } from './store/routing-rules.ts';
import { type TurnDeps } from './turn/deps.ts';
import { type DrainLimits, drainTurns } from './turn/drain-turns.ts';
import { Recorder } from './turn/recorder.ts';
import { RunningTurns } from './turn/running-turns.ts';
import { TokenCounter } from './turn/token-counter.ts';

/** A running chat-routing service. */
export interface ChatRoutingServer extends AsyncDisposable {
  address: Address;
  ready(): Promise<ReadinessReport>;
  /** Refuses new turns, lets those under way finish, and stops what is left after 40 s. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface ChatRoutingOverrides {
  log?: Logger;
  bus?: Bus;
  policy?: BreakerPolicy;
  drain?: DrainLimits;
}

/** Starts chat-routing: migrates its schema, connects, serves. */
export async function startChatRouting(config: ChatRoutingConfig, overrides: ChatRoutingOverrides = {}): Promise<ChatRoutingServer> {
  const log = overrides.log ?? createLogger({ service: 'chat-routing', level: config.logLevel });
  return startAll((parts) => start(config, overrides, log, parts));
}

async function start(
  config: ChatRoutingConfig,
  overrides: ChatRoutingOverrides,
  log: Logger,
  parts: Disposables,
): Promise<Omit<ChatRoutingServer, keyof AsyncDisposable>> {
  await migrate({ url: config.databaseUrl, schema: SCHEMA, folder: MIGRATIONS, log });
  const pool = openPool({ url: config.databaseUrl, schema: SCHEMA, log, applicationName: 'parley-chat-routing' });
  parts.defer(() => pool.end());
  const prisma = openPrisma(pool);
  parts.defer(() => prisma.$disconnect());
  const bus = overrides.bus ?? connectBus({ url: config.natsUrl, name: 'chat-routing', log });
  if (!overrides.bus) parts.defer(() => bus.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = startRelay({ pool, bus, log, encode: batchBySubject((batches) => Buffer.concat(batches)) });
  parts.defer(() => relay.stop());
  const conversation = connect(ConversationServiceService, config.conversationAddress);
  parts.defer(() => conversation.close());
  // Ends once it is stopped and the pools are closed, which is before.
  let connecting = Promise.resolve();
  parts.defer(() => connecting);
  const pools = new Pools(config.connectMs);
  parts.defer(() => pools.close());

  const recovered = (account: AnyAccount) => {
    if (!isChatAccount(account)) return;
    conversation
      .clearContinuity({ upstreamAccountId: account.id }, { caller: { ...SYSTEM_CALLER, workspaceId: account.row.workspaceId } })
      .catch((err: unknown) => log.warn({ err, connectionId: account.id }, 'the continuity of conversations was not cleared'));
  };
  const connections = new ConnectionStore(prisma, pool);
  const rules = new RoutingRuleStore(prisma);
  const projects = new ProjectStore(pool, () => relay.kick());
  const files = new FileStore(pool);
  const cleanups = new CleanupQueue(log);
  parts.defer(() => cleanups.close());
  const tokens = new TokenCounter();
  parts.defer(() => tokens.close());
  tokens.warmUp();
  const count = (text: string) => tokens.count(text);
  const extractor = new TextExtractor(config.reading, (report) =>
    log[report.outcome === 'stopped' ? 'warn' : 'debug'](report, 'a reader process is done with a file'),
  );
  parts.defer(() => extractor.close());
  const providers = new ProviderRegistry(pools, {
    project: { count, budget: config.projectTokens },
    files: { count, budget: config.fileTokens },
    extractor,
  });
  const secrets = new SecretBox(config.secretKeys);
  const health = new HealthStore(pool);
  const policy = overrides.policy ?? DEFAULT_POLICY;
  const accounts = new Accounts({
    store: connections,
    health,
    providers,
    secrets,
    bus,
    log,
    policy,
    concurrency: config.concurrency,
    queue: config.queue,
    recovered,
  });
  parts.defer(async () => {
    accounts.close();
    await accounts.touch().catch(() => undefined);
  });
  const prober = new Prober({ health, accounts, log }, policy.lookMs);
  parts.defer(() => prober.close());
  const refresh = startModelRefresh({ connections, accounts, log }, config.modelsRefreshMs);
  parts.defer(() => refresh.stop());
  const recorder = new Recorder(conversation, config.runnerId, log);
  parts.defer(() => recorder.close());
  const follower = new SourceFollower({ files, accounts, log });
  parts.defer(() => follower.close());
  const heartbeat = startHeartbeat(conversation, config.instance, config.runnerId, log);
  parts.defer(() => heartbeat.stop());
  await heartbeat.first;

  const { acceptanceMs, silenceMs, turnMs, waitingMs, busyMs } = config;
  const running = new RunningTurns();
  const turnDeps: TurnDeps = {
    conversation,
    accounts,
    rules,
    files,
    recorder,
    cleanups,
    tokens,
    limits: { acceptanceMs, silenceMs, turnMs, waitingMs, busyMs },
    log,
  };
  const endpoint = await serve(
    ChatRoutingServiceService,
    createHandlers(turnDeps, running, {
      conversation,
      accounts,
      leases: new ConnectionLeases(),
      connections,
      removed: new RemovedConnectionStore(pool, () => relay.kick()),
      rules,
      projects,
      files,
      follower,
      uploadMs: config.uploadMs,
      cleanups,
      providers,
      secrets,
      log,
    }),
    config.listen,
    log,
  );
  parts.defer(() => endpoint.close());

  if (config.sandboxUrl) {
    const stop = new AbortController();
    parts.defer(() => stop.abort());
    connecting = connectSandbox(
      {
        ...{ accounts, connections, secrets, log },
        provider: providers.get('sandbox'),
        chatProviders: providers.namesFor('chat'),
      },
      config.sandboxUrl,
      stop.signal,
    );
  }
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  readiness.add('nats', async () => (bus.connected ? undefined : 'disconnected; notices wait for the poll'), { required: false });
  readiness.add('outbox', async () => `${await relay.depth()} batches of events wait`, { required: false });
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await drainTurns(running, recorder, endpoint.drain(), overrides.drain);
    },
  };
}
