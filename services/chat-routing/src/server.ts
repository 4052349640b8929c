import { TextExtractor } from '@parley/file-content/extract';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { startRelay } from '@parley/kit/outbox/relay';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ServiceAddress, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { SecretBox } from '@parley/kit/secrets/secret-box';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { ProjectFilesChanged } from '@parley/protos/events/v1/events';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { type ChatRoutingConfig } from './config.ts';
import { CleanupQueue } from './connections/cleanup-queue.ts';
import { connectSandbox } from './connections/connect-sandbox.ts';
import { registerConnectionGauges } from './connections/connection-gauges.ts';
import { ConnectionRegistry } from './connections/connection-registry.ts';
import { type AnyConnection, isChatConnection } from './connections/connection.ts';
import { ExternalCalls } from './connections/external-calls.ts';
import { Prober } from './connections/prober.ts';
import { startModelRefresh } from './connections/refresh-models.ts';
import { startFlowSweep } from './connections/sweep-connect-flows.ts';
import { type BreakerPolicy, DEFAULT_BREAKER_POLICY } from './domain/breaker.ts';
import { type ConnectLimits, DEFAULT_CONNECT_LIMITS } from './domain/connect-limits.ts';
import { SourceStatusPoller } from './files/source-status-poller.ts';
import { handlerTable } from './handlers/table.ts';
import { startHeartbeat } from './heartbeat.ts';
import { HttpPools } from './providers/http-pools.ts';
import { ProviderRegistry } from './providers/registry.ts';
import { MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import { type Store } from './store/store.ts';
import { type DrainLimits, drainTurns, toDrainLimits } from './turn/drain-turns.ts';
import { RunningTurns } from './turn/running-turns.ts';
import { StallDetector } from './turn/stall-detector.ts';
import { TokenCounter } from './turn/token-counter.ts';
import { TurnRecorder } from './turn/turn-recorder.ts';

/** A running chat-routing service. */
export interface ChatRoutingServer extends AsyncDisposable {
  address: ServiceAddress;
  ready(): Promise<ReadinessReport>;
  /** Rejects new turns, lets running ones finish, and stops the remaining ones before the time limit. */
  drain(): Promise<void>;
  /** Time after which a drain may be abandoned, in milliseconds. */
  drainMs: number;
}

/** Margin between the time limit of the drain and `drainMs`. */
const SLACK_MS = 5_000;
/** Default wait for recording an outcome; longer than a failover of the database takes. */
const RECORD_WAIT_MS = 60_000;

/** What tests and compositions may replace. */
export interface ChatRoutingOverrides {
  log?: Logger;
  bus?: Bus;
  policy?: BreakerPolicy;
  drain?: DrainLimits;
  /** How long the outcome of a turn waits for an unavailable conversation service. @default 60 s */
  recordWaitMs?: number;
  connectLimits?: ConnectLimits;
}

/** Starts chat-routing: migrates its schema, connects, serves. */
export async function startChatRoutingServer(config: ChatRoutingConfig, overrides: ChatRoutingOverrides = {}): Promise<ChatRoutingServer> {
  const log = overrides.log ?? createLogger({ service: 'chat-routing', level: config.logLevel });
  return startWithCleanup((parts) => start(config, overrides, log, parts));
}

async function start(
  config: ChatRoutingConfig,
  overrides: ChatRoutingOverrides,
  log: Logger,
  parts: Disposables,
): Promise<Omit<ChatRoutingServer, keyof AsyncDisposable>> {
  await prepareSchema({ url: config.databaseUrl, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(config.databaseUrl, log), (open) => open.close());
  const { pool } = database;
  const bus = overrides.bus ?? connectBus({ url: config.natsUrl, name: 'chat-routing', log });
  if (!overrides.bus) parts.defer(() => bus.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = startRelay({ pool, bus, log, encode: batchBySubject((batches) => Buffer.concat(batches)) });
  parts.defer(() => relay.stop());
  const conversation = connect(ConversationServiceService, config.conversationAddress);
  parts.defer(() => conversation.close());
  // Settles after its abort signal and the closing of the pools, which both are disposed before it.
  let connecting = Promise.resolve();
  parts.defer(() => connecting);
  const pools = new HttpPools(config.connectMs);
  parts.defer(() => pools.close());

  const onRecovered = (connection: AnyConnection) => {
    if (!isChatConnection(connection)) return;
    conversation
      .clearContinuity({ upstreamAccountId: connection.id }, { caller: { ...SYSTEM_CALLER, workspaceId: connection.row.workspaceId } })
      .catch((err: unknown) => log.warn({ err, connectionId: connection.id }, 'the continuity of conversations was not cleared'));
  };
  const store: Store = { database, wakeOutboxRelay: () => relay.publishSoon() };
  const cleanups = new CleanupQueue(log);
  parts.defer(() => cleanups.close());
  const tokens = new TokenCounter();
  parts.defer(() => tokens.close());
  tokens.warmUp();
  const count = (text: string) => tokens.count(text);
  const extractor = new TextExtractor(config.fileReading, (report) =>
    log[report.outcome === 'stopped' ? 'warn' : 'debug'](report, 'a reader process is done with a file'),
  );
  parts.defer(() => extractor.close());
  const emulation = { project: { count, budget: config.projectTokens }, files: { count, budget: config.fileTokens }, extractor };
  const providers = new ProviderRegistry(pools, emulation, config.sandboxUrl);
  const secrets = new SecretBox(config.secretKeys);
  const policy = overrides.policy ?? DEFAULT_BREAKER_POLICY;
  const connections = new ConnectionRegistry({
    database,
    providers,
    secrets,
    bus,
    log,
    policy,
    concurrency: config.concurrency,
    queue: config.queue,
    onRecovered,
  });
  parts.defer(async () => {
    connections.close();
    await connections.touch().catch(() => undefined);
  });
  parts.defer(registerConnectionGauges(() => connections.listLoaded()));
  const prober = new Prober({ database, connections, log }, policy.probeCheckIntervalMs);
  parts.defer(() => prober.close());
  const refresh = startModelRefresh({ store, connections, log }, config.modelsRefreshMs);
  parts.defer(() => refresh.stop());
  const recorder = new TurnRecorder(conversation, config.runnerId, log);
  parts.defer(() => recorder.close());
  const filesChanged = (workspaceId: string, projectId: string) =>
    bus.notify(NOTICES.projectFilesChanged, ProjectFilesChanged.encode({ workspaceId, projectId }).finish());
  const sourcePoller = new SourceStatusPoller({ store, connections, filesChanged, log });
  parts.defer(() => sourcePoller.close());
  const connectLimits = overrides.connectLimits ?? DEFAULT_CONNECT_LIMITS;
  const flowSweep = startFlowSweep({ store, providers, secrets, cleanups, log }, connectLimits.sweepMs);
  parts.defer(() => flowSweep.stop());
  const heartbeat = startHeartbeat(conversation, config.instance, config.runnerId, log);
  parts.defer(() => heartbeat.stop());
  await heartbeat.first;

  const { acceptanceMs, silenceMs, turnMs, waitingMs, busyMs } = config;
  const running = new RunningTurns();
  const { recordWaitMs: recordMs = RECORD_WAIT_MS } = overrides;
  const limits = { acceptanceMs, silenceMs, turnMs, waitingMs, busyMs, recordMs };
  const stallDetector = config.listen === 'in-process' ? undefined : watchStalls(log);
  if (stallDetector) parts.defer(() => stallDetector.close());
  const turnDeps = { store, conversation, connections, recorder, cleanups, tokens, limits, stallDetector, log };
  const { uploadMs } = config;
  const own = { running, externalCalls: new ExternalCalls(), sourcePoller, filesChanged, uploadMs, connectLimits, providers, secrets };
  const handlers = handlerTable({ ...turnDeps, ...own });
  const endpoint = await serve(ChatRoutingServiceService, handlers, config.listen, log);
  parts.defer(() => endpoint.close());

  if (config.sandboxUrl) {
    const stop = new AbortController();
    parts.defer(() => stop.abort());
    connecting = connectSandbox(
      {
        ...{ connections, store, secrets, log },
        provider: providers.get('sandbox'),
        chatProviders: providers.listNames('chat'),
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
      await drainTurns(running, recorder, endpoint.drain(), overrides.drain ?? toDrainLimits(config.drainMs));
    },
    drainMs: config.drainMs + SLACK_MS,
  };
}

function watchStalls(log: Logger): StallDetector {
  return new StallDetector((stoodMs) =>
    log.warn({ stoodMs: Math.round(stoodMs) }, 'the process stood still: the ends of its turns wait for their clients'),
  );
}
