/** Which worker's bytes of which thing a blob is. */
export interface BlobName {
  /** A UUID. */
  id: string;
  /** Counts the leases of the thing: each worker has its own. */
  generation: number;
}

/** How a service names the blobs of its folder. */
export interface BlobNames {
  /** In the blob store. */
  folder: string;
  /**
   * Where the worker of a generation keeps its bytes. A key of its own for each: one that lost its lease cannot write over what its successor
   * has kept. The last digits of an id are random, so that folders stay small.
   */
  keyOf: (id: string, generation: number) => string;
  /** What a key says; undefined for one that the service did not make. */
  parse: (key: string) => BlobName | undefined;
}

const REST = /^\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/** Names blobs of things with a UUID, in a folder of the blob store. */
export function blobNames(folder: string): BlobNames {
  return {
    folder,
    keyOf: (id, generation) => `${folder}/${id.slice(-2)}/${id}-${generation}`,
    parse: (key) => {
      const [, id, generation] = (key.startsWith(folder) && REST.exec(key.slice(folder.length))) || [];
      return id === undefined ? undefined : { id, generation: Number(generation) };
    },
  };
}
