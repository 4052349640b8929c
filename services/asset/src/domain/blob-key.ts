/** The folder of the blob store that is this service's. */
export const BLOB_FOLDER = 'assets';

/** Which worker's bytes of which asset a blob is. */
export interface BlobName {
  assetId: string;
  generation: number;
}

/**
 * Where the worker of a generation keeps an asset's bytes. A key of its own for each: one that lost its lease cannot write over what its
 * successor has kept. The last digits of an id are random, so that folders stay small.
 */
export function blobKey(assetId: string, generation: number): string {
  return `${BLOB_FOLDER}/${assetId.slice(-2)}/${assetId}-${generation}`;
}

const KEY = /^assets\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/** What a key says; undefined for one that this service did not make. */
export function parseBlobKey(key: string): BlobName | undefined {
  const [, assetId, generation] = KEY.exec(key) ?? [];
  return assetId === undefined ? undefined : { assetId, generation: Number(generation) };
}
