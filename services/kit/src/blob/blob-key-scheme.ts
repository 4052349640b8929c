/** The parts of a blob key: the resource and the lease that the blob belongs to. */
export interface BlobKeyParts {
  /** A UUID. */
  id: string;
  /** Generation of the lease; every worker has its own. */
  generation: number;
}

/** Maps resources and leases of a service to blob keys and back. */
export interface BlobKeyScheme {
  /** First part of every key. */
  folder: string;
  /**
   * Returns the key under which the worker of a lease stores its bytes. Each lease has its own key: a worker that lost its lease cannot
   * overwrite what its successor stored. Folders are named by the last digits of the id, which are random, so that they stay small.
   */
  toKey: (id: string, generation: number) => string;
  /** Parses a key; undefined for a key that is not in the form of `toKey`. */
  parse: (key: string) => BlobKeyParts | undefined;
}

const REST = /^\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/** Returns the key scheme of resources with UUIDs, in a folder of the blob store. */
export function createBlobKeyScheme(folder: string): BlobKeyScheme {
  return {
    folder,
    toKey: (id, generation) => `${folder}/${id.slice(-2)}/${id}-${generation}`,
    parse: (key) => {
      const [, id, generation] = (key.startsWith(folder) && REST.exec(key.slice(folder.length))) || [];
      return id === undefined ? undefined : { id, generation: Number(generation) };
    },
  };
}
