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
import { observeGauge } from '@parley/kit/telemetry/meter';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { SpeechJobChanged } from '@parley/protos/events/v1/events';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM_DECLARATION, NOTICES } from '@parley/protos/subjects';
import { type AudioConfig } from './config.ts';
import { BLOB_KEY_SCHEME } from './domain/blob-key.ts';
import { toJobChanged } from './domain/job-event.ts';
import { AdmissionQueue, type AdmissionLimits } from './engines/admission-queue.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { ScratchSpace } from './engines/scratch-space.ts';
import { handlerTable } from './handlers/table.ts';
import { requireDownloadable } from './http/require-downloadable.ts';
import { startWorkers } from './jobs/workers.ts';
import { detectProviders } from './providers/detect-providers.ts';
import { type SpeechProvider } from './providers/speech-provider.ts';
import { type Database, MIGRATIONS, openDatabase, SCHEMA } from './store/database.ts';
import { type Store } from './store/store.ts';
import { startSweeper } from './sweep/sweeper.ts';
import { createTranscriberDeps } from './transcription/create-transcriber-deps.ts';

/** A running audio service. */
export interface AudioServer extends AsyncDisposable {
  address: ServiceAddress;
  /** Reports the checks. Only the database is required. */
  ready(): Promise<ReadinessReport>;
  /** Rejects new calls, claims no more jobs, and waits for work in progress; releases jobs that take too long. */
  drain(): Promise<void>;
}

/** Dependencies that tests and compositions may replace. */
export interface AudioOverrides {
  log?: Logger;
  /** A bus that the caller owns: the service does not drain it. @default a new connection to `natsUrl` */
  bus?: Bus;
  blobs?: BlobStore;
  /** Speech providers that are preferred over the built-in ones. */
  providers?: readonly SpeechProvider[];
  /** How long a lease is valid without renewal, in milliseconds. @default 12_000 */
  leaseMs?: number;
  /** How long jobs in progress may take during a drain, in milliseconds. @default 20_000 */
  graceMs?: number;
}

/** The purpose of this service's download tickets. */
export const TICKET_PURPOSE = 'parley speech download';

/** Concatenated encoded batches of events are one batch. */
const packEvents = batchBySubject((batches) => Buffer.concat(batches));

/** Starts the audio service: migrates its schema, serves RPCs and downloads, executes jobs, deletes expired data. */
export function startAudioServer(config: AudioConfig, overrides: AudioOverrides = {}): Promise<AudioServer> {
  return startWithCleanup((parts) => start(config, overrides, parts));
}

async function start(
  config: AudioConfig,
  overrides: AudioOverrides,
  parts: Disposables,
): Promise<Omit<AudioServer, keyof AsyncDisposable>> {
  const { databaseUrl: url, natsUrl, instance } = config;
  const { log = createLogger({ service: 'audio', level: config.logLevel }), leaseMs, graceMs } = overrides;
  await prepareSchema({ url, schema: SCHEMA, folder: MIGRATIONS, log, mode: config.migrate });
  const database = parts.adopt(openDatabase(url, log), (open) => open.close());
  const blobs = overrides.blobs ?? (await openBlobStore(config.blobs));
  const bus =
    overrides.bus ?? parts.adopt(connectBus({ url: natsUrl, name: `audio-${instance}`, service: 'audio', log }), (open) => open.drain());
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const relay = parts.adopt(startRelay({ pool: database.pool, bus, log, encode: packEvents }), (running) => running.stop());
  const routing = parts.adopt(connect(ChatRoutingServiceService, config.chatRoutingAddress), (stub) => stub.close());
  const scratch = parts.adopt(await ScratchSpace.open(config.transcription.scratchFolder, log), (open) => open[Symbol.asyncDispose]());
  // Synchronous speech has its own engines, so that it does not wait for jobs.
  const spoken = parts.adopt(new EnginePool(config.workers), (open) => open.close());
  const worked = parts.adopt(new EnginePool(config.workers, { niceness: 19 }), (open) => open.close());
  const providersOver = await detectProviders(config, { routing, scratch, log, preferredProviders: overrides.providers ?? [] });
  const store = announcing(database, bus, relay, (id) => (id === undefined ? workers.claimNow() : workers.cancel(id)));
  const work = { store, blobs, providers: providersOver(worked), engines: worked, log };
  const shares = { owner: instance, workers: config.workers, perWorkspace: config.workspaceConcurrency, timing: { leaseMs, graceMs } };
  const workers: JobWorkers = parts.adopt(startWorkers({ ...work, ...shares }), (running) => running.stop());
  parts.defer(bus.onNotice(NOTICES.speechJobChanged, (bytes) => onJobChanged(bytes, workers, log)));
  const sweeper = parts.adopt(startSweeper({ database, blobs, log }), (running) => running.stop());
  const signer = new DownloadTicketSigner(config.secretKeys, TICKET_PURPOSE);
  const requireFile = (id: string) => requireDownloadable(database, id);
  const downloads = { blobs, signer, folder: BLOB_KEY_SCHEME.folder, deniedCondition: 'AUDIO_JOB_NOT_FOUND', requireFile, log } as const;
  const http = parts.adopt(await startDownloadServer(downloads, config.httpListen), (open) => open.close());
  const limits = { retentionMs: config.retentionMs, dailyCharacters: config.dailyCharacters };
  const speechLimiter = new AdmissionQueue(speakingLimits(config.workers), 'RATE_LIMIT_EXCEEDED');
  const speech = { providers: providersOver(spoken), engines: spoken, speechLimiter };
  const transcriber = createTranscriberDeps(config.transcription, { store, routing, scratch, log });
  const { limiter } = transcriber;
  // Transcriptions use separate processes and threads, so they are counted by their limiter.
  parts.defer(observeGauge('parley_engines_busy', () => [{ labels: {}, value: spoken.busy + worked.busy + limiter.running }]));
  const queues = [spoken, worked, speechLimiter, limiter];
  parts.defer(observeGauge('parley_engine_queue', () => [{ labels: {}, value: queues.reduce((sum, { waiting }) => sum + waiting, 0) }]));
  const deps = { store, blobs, routing, ...speech, transcriber, limits, signer, httpUrl: config.httpUrl ?? http.url, log };
  const endpoint = parts.adopt(await serve(AudioServiceService, handlerTable(deps), config.listen, log), (open) => open.close());
  const readiness = checks(database, blobs, bus, relay);
  return {
    address: endpoint.address,
    ready: () => readiness.report(),
    drain: async () => {
      readiness.drain();
      const idle = Promise.all([workers.stop(), sweeper.stop()]);
      // A client that has just received a ticket may still use it, so the listener drains after the endpoint.
      await endpoint.drain();
      await Promise.all([http.drain(), idle]);
    },
  };
}

/** Limits of synchronous speech: a speech server handles several requests concurrently; a workspace gets half of everything. */
function speakingLimits(workers: number): AdmissionLimits {
  return { maxRunning: 4 * workers, maxRunningPerWorkspace: 2 * workers, maxAdmitted: 32 * workers, maxAdmittedPerWorkspace: 16 * workers };
}

/** Returns the store, whose `notifyChanged` wakes the outbox relay and notifies workers and watchers of all replicas. */
function announcing(database: Database, bus: Bus, relay: Relay, wakeWorkers: (cancelled?: string) => void): Store {
  return {
    database,
    notifyChanged: (moved) => {
      if (moved.some(({ status }) => status !== 'processing')) relay.publishSoon();
      for (const job of moved) {
        bus.notify(NOTICES.speechJobChanged, SpeechJobChanged.encode(toJobChanged(job)).finish());
        if (job.status === 'cancelled') wakeWorkers(job.id);
        if (job.status === 'queued') wakeWorkers();
      }
    },
  };
}

type JobWorkers = ReturnType<typeof startWorkers>;

/** Handles a notice that another replica changed a job. An unreadable notice is ignored: polling and leases find the change. */
function onJobChanged(bytes: Uint8Array, workers: JobWorkers, log: Logger): void {
  try {
    const { jobId, status } = SpeechJobChanged.decode(bytes);
    if (status === 'cancelled') workers.cancel(jobId);
    else if (status !== 'processing') workers.claimNow();
  } catch (err) {
    log.warn({ err }, 'a notice of a speech job could not be read');
  }
}

/** Returns the readiness checks. The broker is optional: speech is synthesized and served without it, and events wait in the outbox. */
function checks({ pool }: Database, blobs: BlobStore, bus: Bus, relay: Relay): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  addBlobReadinessCheck(readiness, blobs, BLOB_KEY_SCHEME.folder);
  addEventReadinessChecks(readiness, bus, relay);
  return readiness;
}
