import { type BlobStore, BlobNotFoundError } from '@parley/kit/blob/blob-store';
import { GatewayError } from '@parley/protos/errors';
import { createHash } from 'node:crypto';
import { invalidInputError } from '../domain/action-input.ts';

/**
 * Reads a blob twice: verifies its hash, then yields its bytes and verifies them again.
 * @throws ASSET_INPUT_INVALID for bytes that are missing or changed, SERVICE_UNAVAILABLE when the store cannot be read
 */
export async function* readVerifiedBlob(blobs: BlobStore, key: string, sha256: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const _ of verified(blobs, key, sha256)) signal.throwIfAborted();
  yield* verified(blobs, key, sha256);
}

/** Yields the bytes of a blob; throws at the end when their hash differs. */
async function* verified(blobs: BlobStore, key: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of await blobs.getRange(key)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof BlobNotFoundError) throw invalidInputError('the bytes of a file of the input are gone', cause);
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the file cannot be read at the moment', { cause });
  }
  if (hash.digest('hex') !== sha256) throw invalidInputError('the bytes of a file of the input are not those that were uploaded');
}
