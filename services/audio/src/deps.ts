import { type BlobStore } from '@parley/kit/blob/blob-store';
import { type DownloadTicketSigner } from '@parley/kit/downloads/download-ticket-signer';
import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type AdmissionQueue } from './engines/admission-queue.ts';
import { type EnginePool } from './engines/engine-pool.ts';
import { type SpeechProviders } from './providers/speech-providers.ts';
import { type JobLimits } from './store/create-job.ts';
import { type Store } from './store/store.ts';
import { type TranscriberDeps } from './transcription/transcribe-recording.ts';

/** Dependencies of handlers. */
export interface Deps {
  store: Store;
  blobs: BlobStore;
  routing: Stub<typeof ChatRoutingServiceService>;
  providers: SpeechProviders;
  /** Engines for synchronous speech; jobs have their own. */
  engines: EnginePool;
  /** Limits concurrent synchronous speech, and thereby its audio in memory. */
  speechLimiter: AdmissionQueue;
  limits: JobLimits;
  signer: DownloadTicketSigner;
  /** Base URL at which the edge reaches the listener for downloads. */
  httpUrl: string;
  transcriber: TranscriberDeps;
  log: Logger;
}
