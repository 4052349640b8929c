import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { addEventReadinessChecks } from '@parley/kit/outbox/event-readiness-checks';
import { type Relay, startRelay } from '@parley/kit/outbox/relay';
import { type ServiceAddress, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { throttleRead, observeGauge } from '@parley/kit/telemetry/meter';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { ActionRunChanged } from '@parley/protos/events/v1/events';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { ActionCatalog } from './catalog/action-catalog.ts';
import { type ActionsConfig } from './config.ts';
import { toRunChanged } from './domain/run-event.ts';
import { type StoredRun } from './domain/run.ts';
import { handlerTable } from './handlers/table.ts';
import { startWorkers } from './runs/workers.ts';
import { createExecutors } from './steps/executors.ts';
import { type StepExecutors } from './steps/step-executor.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import { countRunsInReview } from './store/read-runs.ts';
import { type Store } from './store/store.ts';
import { startSweeper } from './sweep/sweeper.ts';

/** A running actions service. */
export interface ActionsServer extends AsyncDisposable {
  address: ServiceAddress;
  /** Reports the checks. Only the database is required. */
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, claims no more runs, and releases those in progress between two steps. */
  drain(): Promise<void>;
}

/** Dependencies that tests and compositions may replace. */
export interface ActionsOverrides {
  log?: Logger;
  /** A bus that the caller owns: the service does not drain it. @default a new connection to `natsUrl` */
  bus?: Bus;
  /** Executors that replace those of the service, by kind of step. */
  executors?: Partial<StepExecutors>;
  /** How long steps in progress may take during a drain, in milliseconds. @default 20_000 */
  graceMs?: number;
}

/** Shortest interval between two queries of runs for metrics, in milliseconds. */
const OBSERVE_MS = 5_000;

/** Concatenated encoded batches of events are one batch. */
const packEvents = batchBySubject((batches) => Buffer.concat(batches));

/** Starts the actions service: migrates its schema, serves RPCs, executes runs, deletes old runs. */
export function startActionsServer(config: ActionsConfig, overrides: ActionsOverrides = {}): Promise<ActionsServer> {
  return startWithCleanup((parts) => start(config, overrides, parts));
}

async function start(
  config: ActionsConfig,
  overrides: ActionsOverrides,
  parts: Disposables,
): Promise<Omit<ActionsServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, instance, executing, maxRisk } = config;
  const { log = createLogger({ service: 'actions', level: config.logLevel }), graceMs } = overrides;
  await prepareSchema({ url, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(url, log), (open) => open.close());
  const bus =
    overrides.bus ??
    parts.adopt(connectBus({ url: natsUrl, name: `actions-${instance}`, service: 'actions', log }), (open) => open.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = parts.adopt(startRelay({ pool: database.pool, bus, log, encode: packEvents }), (running) => running.stop());
  const routing = parts.adopt(connect(ChatRoutingServiceService, config.chatRoutingAddress), (stub) => stub.close());
  const assets = parts.adopt(connect(AssetServiceService, config.assetAddress), (stub) => stub.close());
  const catalog = new ActionCatalog(database);
  const store = announcing(database, bus, relay, (run) => wakeWorkers(workers, run));
  const audio = parts.adopt(connect(AudioServiceService, config.audioAddress), (stub) => stub.close());
  const { egress, maxResponseBytes, textExtraction, retentionMs } = config;
  const own = parts.use(createExecutors({ routing, audio, assets, egress, maxResponseBytes, textExtraction, retentionMs }));
  const executors = { ...own, ...overrides.executors };
  const work = { store, catalog, executors, assets, limits: config, log, executing, timing: { leaseMs: config.leaseMs, graceMs } };
  const shares = { owner: instance, workers: config.workers, perWorkspace: config.workspaceConcurrency };
  const workers: RunWorkers = parts.adopt(startWorkers({ ...work, ...shares }), (running) => running.stop());
  parts.defer(bus.onNotice(NOTICES.actionRunChanged, (bytes) => onRunChanged(bytes, workers, log)));
  const sweeper = parts.adopt(startSweeper({ database, retentionMs, log }), (running) => running.stop());
  const inReview = throttleRead(OBSERVE_MS, async () => [{ labels: {}, value: await countRunsInReview(database) }]);
  parts.defer(observeGauge('parley_runs_in_review', inReview));
  const handlers = handlerTable({ store, catalog, routing, executing, maxRisk });
  const endpoint = parts.adopt(await serve(ActionsServiceService, handlers, config.listen, log), (open) => open.close());
  const readiness = checks(database, bus, relay, executing);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await Promise.all([workers.stop(), sweeper.stop(), endpoint.drain()]);
    },
  };
}

/** Returns the store, whose `notifyChanged` wakes the outbox relay and notifies workers and watchers of all replicas. */
function announcing(database: Database, bus: Bus, relay: Relay, onChanged: (run: Pick<StoredRun, 'id' | 'status'>) => void): Store {
  return {
    database,
    notifyChanged: (run) => {
      relay.publishSoon();
      bus.notify(NOTICES.actionRunChanged, ActionRunChanged.encode(toRunChanged(run)).finish());
      onChanged(run);
    },
  };
}

type RunWorkers = ReturnType<typeof startWorkers>;

/** Handles a notice that another replica changed a run. An unreadable notice is ignored: polling finds the change. */
function onRunChanged(bytes: Uint8Array, workers: RunWorkers, log: Logger): void {
  try {
    const { runId: id, status } = ActionRunChanged.decode(bytes);
    wakeWorkers(workers, { id, status });
  } catch (err) {
    log.warn({ err }, 'a notice of a run could not be read');
  }
}

/** Wakes a worker for a run, and requests the worker of a run that is being cancelled to end it. */
function wakeWorkers(workers: RunWorkers, { id, status }: { id: string; status: string }): void {
  if (status !== 'accepted' && status !== 'cancelling') return;
  workers.claimNow();
  if (status === 'cancelling') workers.requestEnd(id);
}

/** Returns the readiness checks. The broker is optional: runs continue without it, and events wait in the outbox. */
function checks({ pool }: Database, bus: Bus, relay: Relay, executing: boolean): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  addEventReadinessChecks(readiness, bus, relay);
  readiness.add('execution', async () => (executing ? 'enabled' : 'disabled; runs that were accepted wait'), { required: false });
  return readiness;
}
