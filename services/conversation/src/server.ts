import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { type Logger, createLogger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { addEventReadinessChecks } from '@parley/kit/outbox/event-readiness-checks';
import { type Relay, startRelay } from '@parley/kit/outbox/relay';
import { type ServiceAddress } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { observeGauge } from '@parley/kit/telemetry/meter';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { EVENT_STREAM_DECLARATION } from '@parley/protos/subjects';
import { type ConversationConfig } from './config.ts';
import { consumeAssetEvents } from './events/consume-asset-events.ts';
import { handlerTable } from './handlers/table.ts';
import { startReaper } from './reaper/reaper.ts';
import { startRetention } from './retention/retention.ts';
import { startSearchIndexer } from './search/search-indexer.ts';
import { TurnLoad } from './search/turn-load.ts';
import { DEFAULT_ABANDONMENT_LIMITS } from './store/abandonment-limits.ts';
import { DatabaseClock } from './store/database-clock.ts';
import { type Database, MIGRATIONS, SCHEMA, openDatabase } from './store/database.ts';
import { type Store } from './store/store.ts';
import { openTurnStore } from './store/turn-store.ts';

/** What tests and compositions may replace. */
export interface ConversationOverrides {
  log?: Logger;
  /** The caller keeps ownership: the service does not drain it. */
  bus?: Bus;
  /** Interval of the reaper. @default 5000 */
  reaperIntervalMs?: number;
  /** Time without a heartbeat after which a runner counts as gone. @default 20000 */
  runnerTimeoutMs?: number;
  /** Age at which a turn with an unknown runner counts as abandoned. @default 25000 */
  unknownRunnerMs?: number;
  /** Bytes of messages above which an owner who searches gets a text index. @default 4194304 */
  searchIndexBytes?: number;
  /** Interval in which a replica looks for unfinished text indexes. @default 60000 */
  searchIntervalMs?: number;
}

/** A running conversation service. */
export interface ConversationServer extends AsyncDisposable {
  address: ServiceAddress;
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, waits for those in progress and commits what is queued. */
  drain(): Promise<void>;
}

/** Concatenated encoded batches form one valid batch. */
const packEvents = batchBySubject((batches) => Buffer.concat(batches));

const NO_RETENTION = { hasMonthlyPartitions: false, retentionMs: undefined };

/** Starts the conversation service: migrates its schema, serves calls, relays its events and closes abandoned turns. */
export function startConversationServer(config: ConversationConfig, overrides: ConversationOverrides = {}): Promise<ConversationServer> {
  return startWithCleanup((parts) => start(config, overrides, parts));
}

async function start(
  config: ConversationConfig,
  overrides: ConversationOverrides,
  parts: Disposables,
): Promise<Omit<ConversationServer, typeof Symbol.asyncDispose>> {
  const log = overrides.log ?? createLogger({ service: 'conversation', level: config.logLevel });
  await prepareSchema({ url: config.databaseUrl, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(config.databaseUrl, log), (open) => open.close());
  const bus =
    overrides.bus ??
    parts.adopt(connectBus({ url: config.natsUrl, name: `conversation-${config.instance}`, service: 'conversation', log }), (open) =>
      open.drain(),
    );
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = parts.adopt(startRelay({ pool: database.turnPool, bus, log, encode: packEvents }), (running) => running.stop());
  const clock = new DatabaseClock(database.turnPool);
  await clock.sync();
  const {
    runnerTimeoutMs = DEFAULT_ABANDONMENT_LIMITS.runnerTimeoutMs,
    unknownRunnerMs = DEFAULT_ABANDONMENT_LIMITS.unknownRunnerMs,
    reaperIntervalMs = 5_000,
  } = overrides;
  const abandonmentLimits = { ...DEFAULT_ABANDONMENT_LIMITS, runnerTimeoutMs, unknownRunnerMs };
  const load = new TurnLoad();
  const turns = parts.adopt(
    openTurnStore(database.turnPool, abandonmentLimits, {
      onEnded: () => {
        load.record();
        relay.publishSoon();
      },
      onEvents: () => relay.publishSoon(),
    }),
    (open) => open.drain(),
  );
  parts.defer(observeGauge('parley_group_commit_queue', () => turns.listQueueSizes()));
  const store: Store = { database, turns, clock, abandonmentLimits, wakeOutboxRelay: () => relay.publishSoon() };
  parts.adopt(startReaper(store, reaperIntervalMs, log), (running) => running.stop());
  const { databaseUrl, retention = NO_RETENTION } = config;
  parts.adopt(startRetention({ ...retention, databaseUrl, store, log }), (running) => running.stop());
  parts.adopt(consumeAssetEvents(bus, store, log), (running) => running.stop());
  const { searchIndexBytes: minBytes = 4_194_304, searchIntervalMs: intervalMs = 60_000 } = overrides;
  const indexer = parts.adopt(startSearchIndexer({ database, load, log, minBytes, intervalMs }), (running) => running.stop());
  const endpoint = parts.adopt(await serve(ConversationServiceService, handlerTable({ store, indexer }), config.listen, log), (open) =>
    open.close(),
  );
  const readiness = checks(database, bus, relay);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await endpoint.drain();
      await turns.drain();
    },
  };
}

/** The broker is not required: without it events wait in the outbox. */
function checks(database: Database, bus: Bus, relay: Relay): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await database.generalPool.query('SELECT id FROM reaper_progress')));
  addEventReadinessChecks(readiness, bus, relay);
  return readiness;
}
