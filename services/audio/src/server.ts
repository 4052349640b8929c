import type { BlobStore } from '@parley/kit/blob/blob-store';
import { openBlobStore } from '@parley/kit/blob/open-blob-store';
import { type Bus, connectBus } from '@parley/kit/bus/bus';
import { migrate } from '@parley/kit/db/migrate';
import { type Disposables, startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { batchBySubject } from '@parley/kit/outbox/batch-by-subject';
import { type Relay, startRelay } from '@parley/kit/outbox/relay';
import { type Address, connect } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION } from '@parley/protos/subjects';
import type { AudioConfig } from './config.ts';
import { handlerTable } from './handlers/table.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import type { Store } from './store/store.ts';

/** An audio service that runs. */
export interface AudioServer extends AsyncDisposable {
  address: Address;
  /** Not ready without its database; the rest only shows. */
  ready(): Promise<ReadinessReport>;
  /** Refuses new calls, takes no more work, and waits for what is under way; what takes too long is given back. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface AudioOverrides {
  log?: Logger;
  /** Stays its owner's to drain. */
  bus?: Bus;
  blobs?: BlobStore;
}

/** Encoded batches of events that follow each other are one batch. */
const packEvents = batchBySubject((batches) => Buffer.concat(batches));

/** Starts the audio service: migrates its schema, answers calls and downloads, works on jobs, sweeps. */
export function startAudio(config: AudioConfig, overrides: AudioOverrides = {}): Promise<AudioServer> {
  return startAll((parts) => start(config, overrides, parts));
}

async function start(
  config: AudioConfig,
  overrides: AudioOverrides,
  parts: Disposables,
): Promise<Omit<AudioServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, instance } = config;
  const { log = createLogger({ service: 'audio', level: config.logLevel }) } = overrides;
  await migrate({ url, schema: SCHEMA, folder: MIGRATIONS, log });
  const database = parts.adopt(openDatabase(url, log), (open) => open.close());
  const blobs = overrides.blobs ?? (await openBlobStore(config.blobs));
  const bus = overrides.bus ?? parts.adopt(connectBus({ url: natsUrl, name: `audio-${instance}`, log }), (open) => open.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = parts.adopt(startRelay({ pool: database.pool, bus, log, encode: packEvents }), (running) => running.stop());
  const routing = parts.adopt(connect(ChatRoutingServiceService, config.chatRoutingAddress), (stub) => stub.close());
  const store: Store = { database, announce: () => relay.kick() };
  const deps = { store, blobs, routing, log };
  const endpoint = parts.adopt(await serve(AudioServiceService, handlerTable(deps), config.listen, log), (open) => open.close());
  const readiness = checks(database, blobs, bus, relay);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      await endpoint.drain();
    },
  };
}

/** Without the broker speech is still made and served: events wait in the outbox. */
function checks({ pool }: Database, blobs: BlobStore, bus: Bus, relay: Relay): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  // What it does not have it can be asked for: the answer shows that the store is there.
  readiness.add('blobs', async () => void (await blobs.head('audio/readiness')), { required: false, cacheMs: 10_000 });
  readiness.add('bus', async () => (bus.connected ? 'connected' : 'not connected; events wait in the outbox'), { required: false });
  readiness.add('outbox', async () => `${await relay.depth()} batches of events wait`, { required: false });
  return readiness;
}
