import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { openPool } from '@parley/kit/db/pool';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { setMaxListeners } from 'node:events';
import { connectClients } from './clients.ts';
import { type EdgeConfig } from './config.ts';
import { createDownloadProxy } from './downloads/download-proxy.ts';
import { createDispatcher } from './http/dispatcher.ts';
import { closeServer, drain } from './http/drain.ts';
import { createExpressApp } from './http/express-app.ts';
import { registerEdgeGauges } from './http/gauges.ts';
import { createHttpServer, listen } from './http/http-server.ts';
import { InFlight } from './http/in-flight.ts';
import { ShutdownState } from './http/shutdown-state.ts';
import { openIdentityServices } from './identity/identity-services.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import { KeyCache } from './keys/key-cache.ts';
import { LastUsedRecorder } from './keys/last-used-recorder.ts';
import { type CacheTimes } from './keys/record-cache.ts';
import { BodyBytesLimiter } from './middleware/body-bytes-limiter.ts';
import { createClientAddressResolver } from './middleware/client-address.ts';
import { ConcurrencyLimiter } from './middleware/concurrency-limiter.ts';
import { createCors } from './middleware/cors.ts';
import { OperatorKeyLimiter } from './middleware/operator-key-limiter.ts';
import { RefusalCounter } from './middleware/refusal-counter.ts';
import { openThrottleStore } from './middleware/throttle-store.ts';
import { createThrottle } from './middleware/throttle.ts';
import { QuotaReserver } from './quota/quota-reserver.ts';
import { createSharedQuotaCounter } from './quota/shared-quota-counter.ts';
import { type ServiceReports, createReadiness } from './readiness/readiness.ts';
import { createChatHandler } from './routes/chat/completions.ts';
import { type ChatDeps } from './routes/chat/deps.ts';
import { LargeBodyPool } from './routes/chat/large/large-body-pool.ts';
import { ResumableAnswers } from './routes/chat/resumable-answers.ts';
import { CHAT_ROUTE } from './routes/chat/route.ts';
import { ALL_ROUTES, ROUTES } from './routes/index.ts';
import { ME_CHAT_ROUTE } from './routes/me/to-me-routes.ts';
import { FlushScheduler } from './sse/flush-scheduler.ts';
import { createRefusedKeyRecorder } from './store/audit-log.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/client.ts';
import { createDefaultWorkspace } from './store/create-default-workspace.ts';
import { findInternalProject } from './store/internal-projects.ts';
import { findKeyRecord, saveKeysLastUsed } from './store/keys.ts';
import { saveEnvironmentProviders } from './store/oidc-providers.ts';
import { ChangeFeed } from './watch/change-feed.ts';
import { watchAssets, watchRuns } from './watch/change-watcher.ts';
import { OpenStreams } from './watch/open-streams.ts';

/** A running edge; disposing it stops it. */
export interface EdgeServer extends AsyncDisposable {
  /** The URL at which it listens, e.g. `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  ready(): Promise<ReadinessReport>;
  /** Fails probes, refuses new requests after the lame-duck time, waits for requests in progress and flushes the counters in memory. */
  drain(): Promise<void>;
  /** Longest duration of `drain`, in milliseconds. */
  drainMs: number;
}

/** Parts that tests and the single-process composition replace. */
export interface EdgeOverrides {
  log?: Logger;
  /** Readiness of the services that run in this process. */
  services?: ServiceReports;
  /** Lifetimes in the caches of keys, sessions and tokens. */
  cacheTimes?: Partial<CacheTimes>;
  createChatHandler?: typeof createChatHandler;
}

/** Wait for the database in milliseconds; below the two seconds in which a client must get its 503. */
const DATABASE_WAIT_MS = 1_500;
/** Time to write the counters in memory after the last request, in milliseconds. */
const FLUSH_MS = 5_000;

/** Starts the gateway's HTTP server and resolves when it listens. @throws ConfigError when the port is not available */
export function startEdgeServer(config: EdgeConfig, overrides: EdgeOverrides = {}): Promise<EdgeServer> {
  const log = overrides.log ?? createLogger({ service: 'edge', level: config.logLevel });
  return startWithCleanup(async (parts) => {
    const db = await openStore(config, log, parts);
    const bus = parts.adopt(connectBus({ url: config.natsUrl, name: `edge ${config.instance}`, service: 'edge', log }), (open) =>
      open.drain(),
    );
    bus.declareStream(EVENT_STREAM_DECLARATION);
    const keys = watchKeys(db.database, bus, config.quotas, overrides.cacheTimes, parts);
    const refusals = parts.adopt(new RefusalCounter(bus, log), (counter) => counter.stop());
    const lastUsed = parts.adopt(new LastUsedRecorder((uses) => saveKeysLastUsed(db.database, uses), log), (uses) => uses.stop());
    const clients = parts.adopt(connectClients(config), (stubs) => stubs.close());
    const quotas = parts.adopt(new QuotaReserver(createSharedQuotaCounter(clients.usage), log), (reserver) => reserver.stop());
    const readiness = createReadiness({ addresses: config, reports: overrides.services ?? {}, pool: db.pool, bus }, parts);

    const assetWatch = parts.adopt(watchAssets(bus), (watch) => watch.close());
    const feed = parts.adopt(new ChangeFeed(bus), (open) => open.close());
    const runWatch = parts.adopt(watchRuns(bus), (watch) => watch.close());
    const throttleStore = await openThrottleStore(config, log, parts);
    if (throttleStore.check) readiness.add('throttle-store', throttleStore.check, { required: false });
    const shutdownState = new ShutdownState();
    const draining = shutdownState.refusalSignal;
    // Every open stream adds a listener.
    setMaxListeners(0, draining);
    const clientAddress = createClientAddressResolver(config.trustedProxies);
    const operatorKeys = new OperatorKeyLimiter(config.operatorKeyLimit, clientAddress, createRefusedKeyRecorder(db.database, log));
    const { operatorKey } = config;
    const times = overrides.cacheTimes;
    const identity = await openIdentityServices({ config, database: db.database, bus, clientAddress, operatorKeys, times, log }, parts);
    const guards = {
      sessions: identity.sessions,
      personalKeys: identity.personalKeys,
      adminAccess: identity.adminAccess,
      publicUrl: config.publicUrl,
      authenticate: createAuthenticate({ keys, recordUse: (keyId) => lastUsed.record(keyId), operatorKey, operatorKeys }),
      throttle: createThrottle({ ...config, ...throttleStore, clientAddress }),
      concurrency: new ConcurrencyLimiter(config.workspaceConcurrency),
      bodies: new BodyBytesLimiter({ workspaceBytes: config.workspaceBodyBytes, totalBytes: config.totalBodyBytes }),
      reserve: quotas.reserve,
    };
    const streams = new FlushScheduler();
    const answers = new InFlight();
    const resumableAnswers = new ResumableAnswers(answers);
    parts.defer(bus.onNotice(NOTICES.answerStopped, (bytes) => resumableAnswers.stop(Buffer.from(bytes).toString())));
    const createChat = overrides.createChatHandler ?? createChatHandler;
    const chatDeps: ChatDeps = {
      ...guards,
      clients,
      streams,
      resumableAnswers,
      largeBodyPool: parts.adopt(new LargeBodyPool(), (readers) => readers.close()),
      encodesTurns: typeof config.chatRoutingAddress === 'string',
      assetWatch,
      refusals,
      findInternalProject: (workspaceId, slug) => findInternalProject(db.database, workspaceId, slug),
      draining,
      config,
      log,
    };
    const chat = createChat(chatDeps);
    const chats = [
      { row: CHAT_ROUTE, handle: chat },
      { row: ME_CHAT_ROUTE, handle: createChat(chatDeps, ME_CHAT_ROUTE) },
    ];
    const { lameDuckMs, drainMs: waitMs } = config;
    const app = createExpressApp(ROUTES, chats, guards, {
      clients,
      downloads: createDownloadProxy(config),
      config,
      db: db.database,
      keys,
      identity,
      bus,
      refusals,
      readiness,
      runWatch,
      resumableAnswers,
      feed,
      openStreams: new OpenStreams(),
      quotas,
      draining,
      routes: ALL_ROUTES,
      startedAt: Date.now(),
      log,
    });
    const inFlight = new InFlight();
    registerEdgeGauges({ inFlight, streams, bodies: guards.bodies, quotas }, parts);
    const cors = createCors(config.corsOrigins);
    const server = createHttpServer(createDispatcher({ chat, app, cors, inFlight, shutdownState, log }), config, log);
    parts.defer(() => closeServer(server));
    const port = await listen(server, config.host, config.port);
    log.info({ host: config.host, port }, 'edge listens');
    return {
      url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      port,
      ready: () => readiness.report(),
      drain: () => drain({ shutdownState, readiness, inFlight, answers, server, refusals, lastUsed, quotas, log, lameDuckMs, waitMs }),
      drainMs: lameDuckMs + waitMs + FLUSH_MS,
    };
  });
}

async function openStore(config: EdgeConfig, log: Logger, parts: Disposables) {
  await prepareSchema({ url: config.databaseUrl, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const pool = parts.adopt(
    openPool({
      url: config.databaseUrl,
      schema: SCHEMA,
      log,
      applicationName: 'edge',
      waitMs: DATABASE_WAIT_MS,
      statementTimeoutMs: DATABASE_WAIT_MS,
    }),
    (open) => open.end(),
  );
  const database = parts.adopt(openDatabase(pool), (client) => client.$disconnect());
  await createDefaultWorkspace(database, config.apiKey);
  await saveEnvironmentProviders(database, config.oidcProviders);
  return { pool, database };
}

function watchKeys(
  database: Database,
  bus: Bus,
  quotas: EdgeConfig['quotas'],
  times: Partial<CacheTimes> | undefined,
  parts: Disposables,
): KeyCache {
  const keys = new KeyCache((digest) => findKeyRecord(database, digest, quotas), times);
  parts.defer(bus.onNotice(NOTICES.keyChanged, (bytes) => keys.invalidate(Buffer.from(bytes).toString())));
  // A revocation may have been published while the broker was unavailable.
  parts.defer(bus.onConnected(() => keys.clear()));
  return keys;
}
