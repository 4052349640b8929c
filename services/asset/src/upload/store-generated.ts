import { randomInt } from 'node:crypto';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import type { Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type ArtifactFacts, typeOfArtifact } from '../domain/artifact-type.ts';
import type { StoredAsset } from '../domain/asset.ts';
import { blobKey } from '../domain/blob-key.ts';
import type { GeneratedFile } from '../domain/generated-file.ts';
import { insertGenerated } from '../store/generated-assets.ts';
import type { Lifetimes } from '../store/register-artifacts.ts';
import type { Store } from '../store/store.ts';
import { keepFile, type UploadStore } from './keep-file.ts';

/** What storing a generated file needs. */
export interface StoreGeneratedDeps extends UploadStore {
  store: Store;
  lifetimes: Lifetimes;
  /** What a generated asset may have in bytes. */
  maxBytes: number;
}

/** Blob keys have room for nine digits. */
const WRITERS = 1_000_000_000;

/**
 * Keeps a generated file and records it; undefined when another call recorded one with this id meanwhile. Nothing is kept when it throws.
 * @throws as `keepFile`, UNSUPPORTED_FILE_TYPE
 */
export async function storeGenerated(
  deps: StoreGeneratedDeps,
  file: GeneratedFile,
  chunks: AsyncIterable<Uint8Array>,
  { caller, signal }: Pick<Call, 'caller' | 'signal'>,
): Promise<StoredAsset | undefined> {
  const { store, blobs, log, maxBytes, lifetimes } = deps;
  const { id, assetType, sha256, keepMs } = file;
  // The same file may be sent twice at once: each of both has a key of its own, and one of them gets the row.
  const key = blobKey(id, randomInt(WRITERS));
  const judge = (head: Buffer, whole: Buffer | undefined) => judged(file, head, whole);
  const { fileName, ...kept } = await keepFile(deps, { key, chunks, maxBytes, sha256 }, judge, signal);
  const asset = { id, workspaceId: caller.workspaceId, assetType, fileName, kept };
  // A commit that is cut off may have taken effect: when this throws, the bytes are the sweeper's.
  const stored = await insertGenerated(store, asset, lifetimes.retentionMs ?? keepMs);
  if (stored) log.info({ assetId: id, bytes: kept.sizeBytes }, 'asset ready');
  else await deleteBlobs(blobs, [key], log);
  return stored;
}

function judged(file: GeneratedFile, head: Buffer, whole: Buffer | undefined): ArtifactFacts {
  const facts = typeOfArtifact(file, head, whole);
  if (!facts) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the content is not what it was said to be', { param: 'file' });
  return facts;
}
