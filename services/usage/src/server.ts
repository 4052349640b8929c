import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ServiceAddress, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { throttleRead, observeGauge } from '@parley/kit/telemetry/meter';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { CaptureRatio, type TokensByMinuteReader } from './capture/capture-ratio.ts';
import { type UsageConfig } from './config.ts';
import { consumeUsageEvents } from './events/usage-events.ts';
import { handlerTable } from './handlers/table.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import { sumMinuteTokens } from './store/minute-tokens.ts';
import { type Store } from './store/store.ts';
import { startPartitionMaintenance } from './sweep/partition-maintenance.ts';
import { SampleAggregator } from './sweep/sample-aggregator.ts';
import { startSweeper } from './sweep/sweeper.ts';

/** A running usage service. */
export interface UsageServer extends AsyncDisposable {
  address: ServiceAddress;
  /** Requires the database; without the broker the service still serves reports. */
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, stops consuming events, and waits for calls and events in progress. */
  drain(): Promise<void>;
}

/** Dependencies that tests and compositions may replace. */
export interface UsageOverrides {
  log?: Logger;
  /** A bus that the caller owns: the service does not drain it. @default a new connection to `natsUrl` */
  bus?: Bus;
  /** @default the clock of the process */
  now?: () => Date;
}

/** Starts the usage service: migrates its schema, counts events in the background, serves reports, leases quotas. */
export function startUsageServer(config: UsageConfig, overrides: UsageOverrides = {}): Promise<UsageServer> {
  return startWithCleanup((parts) => start(config, overrides, parts));
}

async function start(
  config: UsageConfig,
  overrides: UsageOverrides,
  parts: Disposables,
): Promise<Omit<UsageServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, listen, logLevel, hasMonthlyPartitions = false } = config;
  const { now = () => new Date(), log = createLogger({ service: 'usage', level: logLevel }) } = overrides;
  await prepareSchema({ url, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(url, log), (open) => open.close());
  const store: Store = { database };
  const bus = overrides.bus ?? parts.adopt(connectBus({ url: natsUrl, name: 'usage', log }), (open) => open.drain());
  const samples = parts.adopt(new SampleAggregator({ store, log }), (running) => running.stop());
  const onCounted = (records: number) => samples.countRecords(records);
  const counting = parts.adopt(consumeUsageEvents({ bus, store, log, now, onCounted }), (running) => running.stop());
  const sweeper = parts.adopt(startSweeper({ store, log, now }), (running) => running.stop());
  if (hasMonthlyPartitions) parts.adopt(startPartitionMaintenance({ databaseUrl: url, log, now }), (running) => running.stop());
  const endpoint = parts.adopt(await serve(UsageServiceService, handlerTable({ store, samples, now }), listen, log), (open) =>
    open.close(),
  );
  if (config.conversationAddress !== undefined) observeCapture(config.conversationAddress, { database, now }, parts);
  const readiness = createReadiness(database, bus);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await Promise.all([endpoint.drain(), counting.stop(), sweeper.stop()]);
      await samples.stop();
    },
  };
}

/** Shortest interval between two reads, in milliseconds: scrapes may follow each other closely. */
const CAPTURE_MS = 1_000;
/** Shorter than a scrape waits for a gauge, in milliseconds. */
const CAPTURE_DEADLINE_MS = 1_500;

/** Reports the tokens counted divided by those of the recorded turns; nothing is read unless the process is scraped. */
function observeCapture(address: ServiceAddress, { database, now }: { database: Database; now: () => Date }, parts: Disposables): void {
  const conversation = parts.adopt(connect(ConversationServiceService, address), (stub) => stub.close());
  const readRecordedTokens: TokensByMinuteReader = async (since, until) => {
    const { minutes } = await conversation.sumTokens({ since, until }, { caller: SYSTEM_CALLER, deadlineMs: CAPTURE_DEADLINE_MS });
    return new Map(minutes.map(({ minute, tokens }) => [minute?.getTime() ?? 0, tokens]));
  };
  const ratio = new CaptureRatio({
    readCountedTokens: (since, until) => sumMinuteTokens(database, since, until),
    readRecordedTokens,
    now,
  });
  const read = throttleRead(CAPTURE_MS, () => ratio.read());
  const samples = async () => {
    const value = await read();
    return value === undefined ? [] : [{ labels: {}, value }];
  };
  parts.defer(observeGauge('parley_usage_capture_ratio', samples));
}

/** The broker is optional: without it the service still serves reports. */
function createReadiness({ pool }: Database, bus: Bus): Readiness {
  const readiness = new Readiness();
  readiness.add('postgres', async () => void (await pool.query('SELECT 1')));
  const broker = async () => {
    if (!bus.connected) throw new Error('not connected');
  };
  readiness.add('nats', broker, { required: false });
  return readiness;
}
