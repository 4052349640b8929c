/** The folder of the blob store that is this service's. */
export const BLOB_FOLDER = 'speech';

/** Which worker's bytes of which job a blob is. */
export interface BlobName {
  jobId: string;
  generation: number;
}

/** Where the worker of a generation keeps a job's audio: one that lost its lease cannot write over what its successor has kept. */
export function blobKey(jobId: string, generation: number): string {
  return `${BLOB_FOLDER}/${jobId.slice(-2)}/${jobId}-${generation}`;
}

const KEY = /^speech\/[0-9a-f]{2}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/** What a key says; undefined for one that this service did not make. */
export function parseBlobKey(key: string): BlobName | undefined {
  const [, jobId, generation] = KEY.exec(key) ?? [];
  return jobId === undefined ? undefined : { jobId, generation: Number(generation) };
}
