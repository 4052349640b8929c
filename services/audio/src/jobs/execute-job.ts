import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { LeaseLostError } from '@parley/kit/leases/lease';
import { storeTransition, TransitionOutcomeUnknownError } from '@parley/kit/leases/store-transition';
import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { Readable } from 'node:stream';
import { toBlobKey } from '../domain/blob-key.ts';
import { parseProviderOptions } from '../domain/provider-options.ts';
import { speechAttributes } from '../domain/span-attributes.ts';
import { type EnginePool } from '../engines/engine-pool.ts';
import { type SpeechContext } from '../providers/speech-provider.ts';
import { type SpeechProviders } from '../providers/speech-providers.ts';
import { synthesizeSpeech } from '../providers/synthesize-speech.ts';
import { toSupportedFormat } from '../speech/formats.ts';
import { type LeasedJob, type StoredAudio, markCompleted, markFailed, releaseForRetry } from '../store/leases.ts';
import { type Store } from '../store/store.ts';

/** Dependencies of the workers of jobs. */
export interface WorkDeps {
  store: Store;
  blobs: BlobStore;
  providers: SpeechProviders;
  engines: EnginePool;
  log: Logger;
}

/** Maximum size of a job's audio in bytes; the longest text at the slowest speed fits. */
const MAX_BYTES = 512 * 1_024 ** 2;
const MAX_ATTEMPTS = 3;
const BACKOFF_MS = 2_000;
/** Longest delay of a retry in milliseconds; a server's limit lasts up to five minutes, a connection's cooldown up to ten. */
const MAX_WAIT_MS = 600_000;

/** One attempt of a job, in its own span of the trace of the request that created the job. */
type Attempt = Pick<SpeechContext, 'signal' | 'onProgress'> & { traceparent: string };

/**
 * Executes one leased job: completes it, fails it or releases it for a retry. Never throws. When the signal aborts, the result is
 * discarded; with SHUTTING_DOWN as the reason the job is released at once.
 */
export async function executeJob(deps: WorkDeps, job: LeasedJob, signal: AbortSignal, onProgress: (done: number) => void): Promise<void> {
  const attributes = {
    ...speechAttributes(job),
    'parley.job.id': job.id,
    'parley.job.attempt': job.generation,
    ...(job.requestId !== '' && { 'parley.request.id': job.requestId }),
  };
  const span = startSpan('audio.job', { parent: job.traceparent, attributes });
  span.end(await attemptJob(deps, job, { signal, traceparent: span.traceparent, onProgress }));
}

/** Returns the error condition of a failure; undefined without one. */
async function attemptJob(deps: WorkDeps, job: LeasedJob, attempt: Attempt): Promise<string | undefined> {
  const { signal } = attempt;
  const { store, blobs, log } = deps;
  const began = performance.now();
  const workMs = () => Math.round(performance.now() - began);
  const key = toBlobKey(job.id, job.generation);
  try {
    // Deletes the blob of an interrupted worker; the sweeper would delete it much later.
    if (job.generation > 1) await deleteBlobs(blobs, [toBlobKey(job.id, job.generation - 1)], log);
    const made = await make(deps, job, key, attempt);
    if (signal.aborted) throw signal.reason;
    await storeTransition(() => markCompleted(store, job, made, workMs()));
    log.info({ ...about(job), provider: job.provider, audioMs: made.durationMs, ms: workMs() }, 'speech job completed');
    return undefined;
  } catch (error) {
    return settle(deps, job, { key, workMs: workMs() }, signal.aborted ? signal.reason : error);
  }
}

/** Returns the log fields that identify a job. */
function about({ id: jobId, requestId, generation }: LeasedJob): Record<string, unknown> {
  return { jobId, generation, ...(requestId !== '' && { requestId }) };
}

async function make({ blobs, providers, engines }: WorkDeps, job: LeasedJob, key: string, attempt: Attempt): Promise<StoredAudio> {
  const { signal } = attempt;
  const { input, voice, model, language, workspaceId, requestId } = job;
  const provider = providers.getProvider(job.provider);
  const request = { input, voice, model, language, speed: 1, options: parseProviderOptions(provider.options, job.providerOptions) };
  const context = { caller: { ...SYSTEM_CALLER, workspaceId, requestId }, ...attempt };
  const format = toSupportedFormat(job.responseFormat);
  const { chunks, mimeType, sizeBytes, durationMs } = await synthesizeSpeech(engines, provider, request, format, context);
  try {
    const options = { maxBytes: MAX_BYTES, contentType: mimeType, signal };
    const { sha256 } = await blobs.put(key, Readable.from(chunks, { objectMode: false }), options);
    return { blobKey: key, sizeBytes, sha256, mimeType, durationMs };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the audio could not be stored', { cause });
  }
}

/** Deletes the blob of a failed attempt, and retries or fails the job. Returns the error condition of a failure. */
async function settle(
  { store, blobs, log }: WorkDeps,
  job: LeasedJob,
  { key, workMs }: { key: string; workMs: number },
  error: unknown,
): Promise<string | undefined> {
  try {
    // The transition to completed may have been committed, so the blob must not be deleted.
    if (error instanceof TransitionOutcomeUnknownError) throw error;
    await deleteBlobs(blobs, [key], log);
    if (error instanceof LeaseLostError) {
      log.info(about(job), 'speech job cancelled, or left to another worker');
      return undefined;
    }
    const failure = toGatewayError(error);
    const { condition } = failure;
    if (condition === 'SHUTTING_DOWN') {
      await releaseForRetry(store, job, { delayMs: 0, attempts: job.attempts });
      return undefined;
    }
    const attempts = job.attempts + 1;
    const again = mayPass(failure) && attempts < MAX_ATTEMPTS;
    log.warn({ err: failure.cause ?? failure, condition, ...about(job), again }, 'speech job failed');
    const delayMs = Math.max(failure.retryAfterMs ?? 0, BACKOFF_MS * 4 ** job.attempts);
    await (again
      ? releaseForRetry(store, job, { delayMs: Math.min(delayMs, MAX_WAIT_MS), attempts })
      : markFailed(store, job, failure, workMs));
    return condition;
  } catch (err) {
    if (!(err instanceof LeaseLostError)) log.warn({ err, ...about(job) }, 'speech job left as it is until its lease is over');
    return toGatewayError(error).condition;
  }
}

/** Whether an attempt is retried. An error with a retry time is, even if it is not retryable for a client: a job runs in the background. */
function mayPass({ condition, row, retryAfterMs }: GatewayError): boolean {
  return (row.retryable || retryAfterMs !== undefined) && condition !== 'INTERNAL_ERROR';
}
