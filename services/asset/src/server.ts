import { addBlobReadinessCheck } from '@parley/kit/blob/blob-readiness-check';
import { type BlobStore } from '@parley/kit/blob/blob-store';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { prepareSchema } from '@parley/kit/db/prepare-schema';
import { startDownloadServer } from '@parley/kit/downloads/download-server';
import { DownloadTicketSigner } from '@parley/kit/downloads/download-ticket-signer';
import { type Disposables, startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { addEventReadinessChecks } from '@parley/kit/outbox/event-readiness-checks';
import { type Relay, startRelay } from '@parley/kit/outbox/relay';
import { type ServiceAddress, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { AssetChanged } from '@parley/protos/events/v1/events';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { ContentChecker } from './bytes/content-checker.ts';
import { type AssetConfig } from './config.ts';
import { toAssetChanged } from './domain/asset-event.ts';
import { BLOB_KEY_SCHEME } from './domain/blob-key.ts';
import { consumeDeletionEvents } from './events/consume-deletion-events.ts';
import { consumeTurnEvents } from './events/consume-turn-events.ts';
import { handlerTable } from './handlers/table.ts';
import { requireDownloadable } from './http/require-downloadable.ts';
import { startWorkers } from './ingest/workers.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import { type Store } from './store/store.ts';
import { startSweeper } from './sweep/sweeper.ts';

/** A running asset service. */
export interface AssetServer extends AsyncDisposable {
  address: ServiceAddress;
  /** Reports the checks. Only the database is required. */
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, claims no more work, and waits for work in progress; releases what takes too long. */
  drain(): Promise<void>;
}

/** Overrides for tests and compositions. */
export interface AssetOverrides {
  log?: Logger;
  /** A bus that the caller owns: the service does not drain it. @default a new connection to `natsUrl` */
  bus?: Bus;
  blobs?: BlobStore;
  /** How long a lease is valid without renewal, in milliseconds. @default 12_000 */
  leaseMs?: number;
  /** How often leases are renewed, in milliseconds. @default 1_000 */
  renewMs?: number;
  /** How often to poll for assets that are due or whose lease has expired, in milliseconds. @default 10_000 */
  idleMs?: number;
  /** How long assets in progress may take during a drain, in milliseconds. @default 20_000 */
  graceMs?: number;
}

/** The purpose of this service's download tickets. */
export const TICKET_PURPOSE = 'parley asset download';

/** Concatenated encoded batches of events are one batch. */
const packEvents = batchBySubject((batches) => Buffer.concat(batches));

/** Starts the asset service: migrates its schema, serves RPCs and downloads, fetches generated files of upstreams, deletes expired data. */
export function startAssetServer(config: AssetConfig, overrides: AssetOverrides = {}): Promise<AssetServer> {
  return startWithCleanup((parts) => start(config, overrides, parts));
}

async function start(
  config: AssetConfig,
  overrides: AssetOverrides,
  parts: Disposables,
): Promise<Omit<AssetServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, instance, maxBytes, workers, ingestTimeoutMs, retentionMs } = config;
  const actionInputs = { maxBytes: config.maxActionInputBytes, ttlMs: config.actionInputTtlMs };
  const { log = createLogger({ service: 'asset', level: config.logLevel }), leaseMs, renewMs, idleMs, graceMs } = overrides;
  await prepareSchema({ url, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(url, log), (open) => open.close());
  const blobs = overrides.blobs ?? (await openBlobStore(config.blobs));
  const bus =
    overrides.bus ?? parts.adopt(connectBus({ url: natsUrl, name: `asset-${instance}`, service: 'asset', log }), (open) => open.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = parts.adopt(startRelay({ pool: database.pool, bus, log, encode: packEvents }), (running) => running.stop());
  const routing = parts.adopt(connect(ChatRoutingServiceService, config.chatRoutingAddress), (stub) => stub.close());
  const conversation = parts.adopt(connect(ConversationServiceService, config.conversationAddress), (stub) => stub.close());
  const contentChecker = new ContentChecker(blobs);
  const store = announcing(database, bus, relay, () => ingestion.claimNow());
  const work = { store, blobs, contentChecker, routing, log, maxBytes };
  const ingestion: ReturnType<typeof startWorkers> = parts.adopt(
    startWorkers({ ...work, workers, owner: instance, timing: { leaseMs, renewMs, idleMs, graceMs } }),
    (running) => running.stop(),
  );
  parts.defer(bus.onNotice(NOTICES.assetChanged, (bytes) => onAssetChanged(bytes, ingestion, log)));
  const lifetimes = { ingestTimeoutMs, retentionMs };
  const turns = parts.adopt(consumeTurnEvents(bus, store, lifetimes, log), (running) => running.stop());
  const deletions = parts.adopt(consumeDeletionEvents(bus, { database, blobs, routing, log }), (running) => running.stop());
  const sweeper = parts.adopt(startSweeper({ store, database, blobs, log }), (running) => running.stop());
  const signer = new DownloadTicketSigner(config.secretKeys, TICKET_PURPOSE);
  const requireFile = (id: string) => requireDownloadable(database, id);
  const downloads = { blobs, signer, folder: BLOB_KEY_SCHEME.folder, deniedCondition: 'ASSET_ACCESS_DENIED', requireFile, log } as const;
  const http = parts.adopt(await startDownloadServer(downloads, config.httpListen), (open) => open.close());
  const deps = {
    store,
    blobs,
    contentChecker,
    routing,
    conversation,
    signer,
    lifetimes,
    maxBytes,
    actionInputs,
    log,
    httpUrl: config.httpUrl ?? http.url,
  };
  const endpoint = parts.adopt(await serve(AssetServiceService, handlerTable(deps), config.listen, log), (open) => open.close());
  const readiness = checks(database, blobs, bus, relay);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      const idle = Promise.all([ingestion.stop(), turns.stop(), deletions.stop(), sweeper.stop()]);
      // A ticket that was just issued may still be used, so the listener drains after the endpoint.
      await endpoint.drain();
      await Promise.all([http.drain(), idle]);
    },
  };
}

/** Returns the store, whose `notifyChanged` publishes every committed change as a notice, and through the outbox as an event. */
function announcing(database: Database, bus: Bus, relay: Relay, kick: () => void): Store {
  return {
    database,
    notifyChanged: (moved) => {
      relay.publishSoon();
      for (const asset of moved) bus.notify(NOTICES.assetChanged, AssetChanged.encode(toAssetChanged(asset)).finish());
      if (moved.some(({ status }) => status === 'discovered')) kick();
    },
  };
}

/**
 * Handles a notice that another replica registered an asset, as its workers may be busy. An unreadable notice is ignored: polling finds the
 * asset.
 */
function onAssetChanged(bytes: Uint8Array, ingestion: ReturnType<typeof startWorkers>, log: Logger): void {
  try {
    if (AssetChanged.decode(bytes).status === 'discovered') ingestion.claimNow();
  } catch (err) {
    log.warn({ err }, 'a notice of an asset could not be read');
  }
}

/**
 * Returns the readiness checks. The broker is optional: assets are fetched and served without it, events wait in the outbox, and the edge
 * registers artifacts.
 */
function checks({ pool }: Database, blobs: BlobStore, bus: Bus, relay: Relay): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  addBlobReadinessCheck(readiness, blobs, BLOB_KEY_SCHEME.folder);
  addEventReadinessChecks(readiness, bus, relay);
  return readiness;
}
