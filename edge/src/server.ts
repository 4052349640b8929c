import { setMaxListeners } from 'node:events';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { openPool } from '@parley/kit/db/pool';
import { type Disposables, startAll } from '@parley/kit/lifecycle/disposables';
import { type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { connectClients } from './clients.ts';
import { type EdgeConfig } from './config.ts';
import { createDownloadProxy } from './downloads/download-proxy.ts';
import { ShutdownState } from './http/shutdown-state.ts';
import { createDispatcher } from './http/dispatcher.ts';
import { closeServer, drain } from './http/drain.ts';
import { createExpressApp } from './http/express-app.ts';
import { observeEdge } from './http/gauges.ts';
import { createHttpServer, listen } from './http/http-server.ts';
import { InFlight } from './http/in-flight.ts';
import { openIdentity } from './identity/identity.ts';
import { createAuthenticate } from './keys/authenticate.ts';
import { KeyCache } from './keys/key-cache.ts';
import { LastUsedRecorder } from './keys/last-used.ts';
import { type CacheTimes } from './keys/record-cache.ts';
import { BodyBytesLimiter } from './middleware/body-bytes-limiter.ts';
import { createClientAddress } from './middleware/client-address.ts';
import { ConcurrencyLimiter } from './middleware/concurrency-limiter.ts';
import { createCors } from './middleware/cors.ts';
import { OperatorKeyLimiter } from './middleware/operator-key-limiter.ts';
import { RefusalCounter } from './middleware/refusal-counter.ts';
import { openThrottleStore } from './middleware/throttle-store.ts';
import { createThrottle } from './middleware/throttle.ts';
import { createQuotaLeaser } from './quota/quota-leaser.ts';
import { QuotaKeeper } from './quota/quota-keeper.ts';
import { type ServiceReports, watchReadiness } from './readiness/readiness.ts';
import { createChatCompletions } from './routes/chat/completions.ts';
import { ResumableAnswers } from './routes/chat/kept-answers.ts';
import { type ChatDeps } from './routes/chat/deps.ts';
import { LargeBodyPool } from './routes/chat/large/large-body-pool.ts';
import { CHAT_ROUTE } from './routes/chat/route.ts';
import { OPERATIONS, ROUTES } from './routes/index.ts';
import { ME_CHAT_ROUTE } from './routes/me/mounted.ts';
import { FlushScheduler } from './sse/flush-scheduler.ts';
import { createRefusedKeyAudit } from './store/audit-log.ts';
import { bootstrap } from './store/bootstrap.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/client.ts';
import { findInternalProject } from './store/internal-projects.ts';
import { findKey, saveLastUsed } from './store/keys.ts';
import { ChangeFeed } from './watch/change-feed.ts';
import { saveEnvironmentProviders } from './store/oidc-providers.ts';
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
  createChatCompletions?: typeof createChatCompletions;
}

/** Wait for the database in milliseconds; below the two seconds in which a client must get its 503. */
const DATABASE_WAIT_MS = 1_500;
/** Time to write the counters in memory after the last request, in milliseconds. */
const FLUSH_MS = 5_000;

/** Starts the gateway's HTTP server and resolves when it listens. @throws ConfigError when the port is not available */
export function startEdge(config: EdgeConfig, overrides: EdgeOverrides = {}): Promise<EdgeServer> {
  const log = overrides.log ?? createLogger({ service: 'edge', level: config.logLevel });
  return startAll(async (parts) => {
    const db = await openStore(config, log, parts);
    const bus = parts.adopt(connectBus({ url: config.natsUrl, name: `edge ${config.instance}`, service: 'edge', log }), (open) =>
      open.drain(),
    );
    bus.declareStream(EVENT_STREAM_DECLARATION);
    const keys = watchKeys(db.database, bus, config.quotas, overrides.cacheTimes, parts);
    const refusals = parts.adopt(new RefusalCounter(bus, log), (counter) => counter.stop());
    const lastUsed = parts.adopt(new LastUsedRecorder((uses) => saveLastUsed(db.database, uses), log), (uses) => uses.stop());
    const clients = parts.adopt(connectClients(config), (stubs) => stubs.close());
    const quotas = parts.adopt(new QuotaKeeper(createQuotaLeaser(clients.usage), log), (keeper) => keeper.stop());
    const readiness = watchReadiness({ addresses: config, reports: overrides.services ?? {}, pool: db.pool, bus }, parts);

    const assetWatch = parts.adopt(watchAssets(bus), (watch) => watch.close());
    const feed = parts.adopt(new ChangeFeed(bus), (open) => open.close());
    const runWatch = parts.adopt(watchRuns(bus), (watch) => watch.close());
    const throttleStore = await openThrottleStore(config, log, parts);
    if (throttleStore.check) readiness.add('throttle-store', throttleStore.check, { required: false });
    const departure = new ShutdownState();
    const draining = departure.refusing;
    // Every open stream adds a listener.
    setMaxListeners(0, draining);
    const clientAddress = createClientAddress(config.trustedProxies);
    const operatorKeys = new OperatorKeyLimiter(config.operatorKeyLimit, clientAddress, createRefusedKeyAudit(db.database, log));
    const { operatorKey } = config;
    const times = overrides.cacheTimes;
    const identity = await openIdentity({ config, database: db.database, bus, clientAddress, operatorKeys, times, log }, parts);
    const guards = {
      sessions: identity.sessions,
      personalKeys: identity.personalKeys,
      adminAccess: identity.adminAccess,
      publicUrl: config.publicUrl,
      authenticate: createAuthenticate({ keys, used: (keyId) => lastUsed.note(keyId), operatorKey, operatorKeys }),
      throttle: createThrottle({ ...config, ...throttleStore, clientAddress }),
      concurrency: new ConcurrencyLimiter(config.workspaceConcurrency),
      bodies: new BodyBytesLimiter({ workspaceBytes: config.workspaceBodyBytes, totalBytes: config.totalBodyBytes }),
      reserve: quotas.reserve,
    };
    const streams = new FlushScheduler();
    const answers = new InFlight();
    const kept = new ResumableAnswers(answers);
    parts.defer(bus.onNotice(NOTICES.answerStopped, (bytes) => kept.stop(Buffer.from(bytes).toString())));
    const createChat = overrides.createChatCompletions ?? createChatCompletions;
    const chatDeps: ChatDeps = {
      ...guards,
      clients,
      streams,
      kept,
      readers: parts.adopt(new LargeBodyPool(), (readers) => readers.close()),
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
      kept,
      feed,
      openStreams: new OpenStreams(),
      quotas,
      draining,
      routes: OPERATIONS,
      startedAt: Date.now(),
      log,
    });
    const inFlight = new InFlight();
    observeEdge({ inFlight, streams, bodies: guards.bodies, quotas }, parts);
    const cors = createCors(config.corsOrigins);
    const server = createHttpServer(createDispatcher({ chat, app, cors, inFlight, departure, log }), config, log);
    parts.defer(() => closeServer(server));
    const port = await listen(server, config.host, config.port);
    log.info({ host: config.host, port }, 'edge listens');
    return {
      url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      port,
      ready: () => readiness.report(),
      drain: () => drain({ departure, readiness, inFlight, answers, server, refusals, lastUsed, quotas, log, lameDuckMs, waitMs }),
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
  await bootstrap(database, config.apiKey);
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
  const keys = new KeyCache((digest) => findKey(database, digest, quotas), times);
  parts.defer(bus.onNotice(NOTICES.keyChanged, (bytes) => keys.invalidate(Buffer.from(bytes).toString())));
  // A revocation may have been published while the broker was unavailable.
  parts.defer(bus.onConnected(() => keys.clear()));
  return keys;
}
