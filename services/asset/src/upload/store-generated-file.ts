import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { GatewayError } from '@parley/protos/errors';
import { randomInt } from 'node:crypto';
import { type DetectedArtifact, detectArtifactType } from '../domain/artifact-type.ts';
import { type StoredAsset } from '../domain/asset.ts';
import { toBlobKey } from '../domain/blob-key.ts';
import { type GeneratedFile } from '../domain/generated-file.ts';
import { insertGeneratedAsset } from '../store/generated-assets.ts';
import { type AssetLifetimes } from '../store/register-artifacts.ts';
import { type Store } from '../store/store.ts';
import { storeFile, type StoreFileDeps } from './store-file.ts';

/** Dependencies of `storeGeneratedFile`. */
export interface StoreGeneratedFileDeps extends StoreFileDeps {
  store: Store;
  lifetimes: AssetLifetimes;
  /** Maximum size of a generated asset in bytes. */
  maxBytes: number;
}

/** Upper bound of the random number in a blob key, which has nine digits for it. */
const WRITERS = 1_000_000_000;

/**
 * Stores a generated file and inserts its asset; undefined when another call has inserted one with this id in the meantime. Stores nothing
 * when it throws.
 * @throws the errors of `storeFile`, UNSUPPORTED_FILE_TYPE
 */
export async function storeGeneratedFile(
  deps: StoreGeneratedFileDeps,
  file: GeneratedFile,
  chunks: AsyncIterable<Uint8Array>,
  call: Pick<Call, 'caller' | 'signal' | 'traceparent'>,
): Promise<StoredAsset | undefined> {
  const { store, blobs, log, maxBytes, lifetimes } = deps;
  const { id, assetType, sha256, keepMs } = file;
  const { workspaceId, requestId } = call.caller;
  // The same file may be sent twice concurrently: each call has its own blob key, and one of them inserts the row.
  const key = toBlobKey(id, randomInt(WRITERS));
  const checkContent = (head: Buffer, whole: Buffer | undefined) => checked(file, head, whole);
  const { fileName, ...content } = await storeFile(deps, { key, chunks, maxBytes, sha256 }, checkContent, call);
  const asset = { id, workspaceId, assetType, fileName, content, origin: toWorkOrigin(call) };
  // An interrupted commit may have taken effect: when this throws, the sweeper deletes the bytes unless the row exists.
  const stored = await insertGeneratedAsset(store, asset, lifetimes.retentionMs ?? keepMs);
  if (stored) log.info({ assetId: id, requestId, bytes: content.sizeBytes }, 'asset ready');
  else await deleteBlobs(blobs, [key], log);
  return stored;
}

function checked(file: GeneratedFile, head: Buffer, whole: Buffer | undefined): DetectedArtifact {
  const facts = detectArtifactType(file, head, whole);
  if (!facts) throw new GatewayError('UNSUPPORTED_FILE_TYPE', 'the content is not what it was said to be', { param: 'file' });
  return facts;
}
