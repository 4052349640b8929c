import { createHash } from 'node:crypto';
import { type BlobStore, BlobNotFound } from '@parley/kit/blob/blob-store';
import { GatewayError } from '@parley/protos/errors';
import { inputInvalid } from '../domain/action-input.ts';

/**
 * Reads all bytes of a blob once to be sure of them, and once more to give them: what leaves was checked before, and is checked again while it leaves.
 * @throws ASSET_INPUT_INVALID for bytes that are gone or not what was kept, SERVICE_UNAVAILABLE when the store cannot be read
 */
export async function* readChecked(blobs: BlobStore, key: string, sha256: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const _ of verified(blobs, key, sha256)) signal.throwIfAborted();
  yield* verified(blobs, key, sha256);
}

/** Ends with an error unless the bytes were the right ones. */
async function* verified(blobs: BlobStore, key: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of await blobs.getRange(key)) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof BlobNotFound) throw inputInvalid('the bytes of a file of the input are gone', cause);
    throw new GatewayError('SERVICE_UNAVAILABLE', 'the file cannot be read at the moment', { cause });
  }
  if (hash.digest('hex') !== sha256) throw inputInvalid('the bytes of a file of the input are not those that were uploaded');
}
