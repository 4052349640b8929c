import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { LeaseLostError } from '@parley/kit/leases/lease';
import { storeTransition, TransitionOutcomeUnknownError } from '@parley/kit/leases/store-transition';
import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { histogram } from '@parley/kit/telemetry/meter';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type ContentChecker } from '../bytes/content-checker.ts';
import { type StoredBlob, storeBytes } from '../bytes/store-bytes.ts';
import { type DetectedArtifact, detectArtifactType } from '../domain/artifact-type.ts';
import { toBlobKey } from '../domain/blob-key.ts';
import { hasTooManyAbandonedAttempts, planRetry } from '../domain/retry-plan.ts';
import { type LeasedAsset, markFailed, markReady, markValidating, releaseForRetry } from '../store/leases.ts';
import { type Store } from '../store/store.ts';
import { type AttemptContext, fetchArtifact } from './fetch-artifact.ts';

/** Dependencies of the ingestion. */
export interface IngestDeps {
  store: Store;
  blobs: BlobStore;
  contentChecker: ContentChecker;
  routing: Stub<typeof ChatRoutingServiceService>;
  log: Logger;
  /** Maximum size of an asset in bytes. */
  maxBytes: number;
}

const INGEST_SECONDS = histogram('parley_asset_ingest_seconds');

/**
 * Executes the ingestion of one leased asset: fetches and checks its bytes, and marks it as ready or failed, or releases it for a retry.
 * Never throws. When the signal aborts, the result is discarded; with SHUTTING_DOWN as the reason the asset is released at once. Creates
 * one span in the trace of the request that registered the asset.
 */
export async function ingestAsset(deps: IngestDeps, asset: LeasedAsset, signal: AbortSignal): Promise<void> {
  const { id, conversationId, assetType, requestId, generation } = asset;
  const attributes = {
    'parley.asset.id': id,
    'parley.asset.type': assetType,
    'parley.asset.attempt': generation,
    ...(conversationId !== null && { 'gen_ai.conversation.id': conversationId }),
    ...(requestId !== '' && { 'parley.request.id': requestId }),
  };
  const span = startSpan('asset.ingest', { parent: asset.traceparent, attributes });
  span.end(await ingest(deps, asset, { signal, traceparent: span.traceparent }));
}

/** Returns the error condition of a failure; undefined without one. */
async function ingest(deps: IngestDeps, asset: LeasedAsset, attempt: AttemptContext): Promise<string | undefined> {
  const { signal } = attempt;
  const { store, blobs, contentChecker, log } = deps;
  const began = performance.now();
  const key = toBlobKey(asset.id, asset.generation);
  try {
    // Deletes the blob of an interrupted worker; the sweeper would delete it much later.
    if (asset.generation > 1) await deleteBlobs(blobs, [toBlobKey(asset.id, asset.generation - 1)], log);
    if (hasTooManyAbandonedAttempts(asset)) return await giveUp(deps, asset);
    const stream = await download(deps, asset, key, attempt);
    await storeTransition(() => markValidating(store, asset));
    const { fileName, ...facts } = await contentChecker.check(stream, (head, whole) => checkArtifact(asset, head, whole));
    if (signal.aborted) throw signal.reason;
    await storeTransition(() =>
      markReady(store, asset, fileName, { blobKey: key, sizeBytes: stream.size, sha256: stream.sha256, ...facts }),
    );
    INGEST_SECONDS.record({}, (performance.now() - began) / 1_000);
    log.info({ ...about(asset), bytes: stream.size }, 'asset ready');
    return undefined;
  } catch (error) {
    const remainingMs = asset.remainingMs - (performance.now() - began);
    return settle(deps, { ...asset, remainingMs }, key, signal.aborted ? signal.reason : error);
  }
}

/** Returns the log fields that identify an asset. */
function about({ id: assetId, requestId, generation }: LeasedAsset): Record<string, unknown> {
  return { assetId, generation, ...(requestId !== '' && { requestId }) };
}

async function giveUp({ store, log }: IngestDeps, asset: LeasedAsset): Promise<string> {
  log.error({ ...about(asset), silences: asset.silences }, 'asset failed: its attempts were abandoned');
  const failure = new GatewayError('INTERNAL_ERROR', 'the file could not be fetched: its worker was interrupted');
  await storeTransition(() => markFailed(store, asset, failure));
  return failure.condition;
}

async function download(
  { blobs, routing, maxBytes }: IngestDeps,
  asset: LeasedAsset,
  key: string,
  attempt: AttemptContext,
): Promise<StoredBlob> {
  const { head, chunks } = await fetchArtifact(routing, asset, attempt);
  const stream = await storeBytes(blobs, key, chunks, { maxBytes, signal: attempt.signal });
  const isWhole = stream.size > 0 && (head.sizeBytes === undefined || head.sizeBytes === stream.size);
  if (!isWhole) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider sent an incomplete file');
  return stream;
}

function checkArtifact(asset: LeasedAsset, head: Buffer, whole: Buffer | undefined): DetectedArtifact {
  const facts = detectArtifactType(asset, head, whole);
  if (!facts) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the content is not what the provider said it was');
  return facts;
}

/** Deletes the blob of a failed attempt, and retries or fails the asset. Returns the error condition of a failure. */
async function settle({ store, blobs, log }: IngestDeps, asset: LeasedAsset, key: string, error: unknown): Promise<string | undefined> {
  try {
    // The transition to ready may have been committed, so the blob must not be deleted.
    if (error instanceof TransitionOutcomeUnknownError) throw error;
    await deleteBlobs(blobs, [key], log);
    if (error instanceof LeaseLostError) {
      log.warn(about(asset), 'asset left to another worker');
      return undefined;
    }
    const failure = toGatewayError(error);
    if (failure.condition === 'SHUTTING_DOWN') {
      await releaseForRetry(store, asset, { delayMs: 0, attempts: asset.attempts });
      return undefined;
    }
    const retry = planRetry({ error: failure, attempts: asset.attempts, remainingMs: asset.remainingMs });
    const { condition } = failure;
    log.warn({ err: failure.cause ?? failure, condition, ...about(asset), ...retry }, retry ? 'asset put off' : 'asset failed');
    await (retry ? releaseForRetry(store, asset, retry) : markFailed(store, asset, failure));
    return condition;
  } catch (err) {
    if (!(err instanceof LeaseLostError)) log.warn({ err, ...about(asset) }, 'asset left as it is until its lease is over');
    return toGatewayError(error).condition;
  }
}
