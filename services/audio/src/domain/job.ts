import { type WorkOrigin } from '@parley/kit/rpc/work-origin';

/** The status of a speech job. `created` and `validated` exist only within the transaction that inserts it. */
export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';

/** Every status that a job of the contract can have. */
export const JOB_STATUSES: readonly string[] = ['created', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled'];

/** A speech job as it is stored. */
export interface StoredJob extends WorkOrigin {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Id of the failed job that it repeats. */
  retryOf: string | null;
  status: JobStatus;
  provider: string;
  /** Id of the voice at the provider. */
  voice: string;
  model: string;
  language: string;
  /** Format as requested; empty for the default. */
  responseFormat: string;
  /** Text of a JSON object; empty without options. */
  providerOptions: string;
  inputCharacters: number;
  /** In percent. */
  progress: number;
  /** Empty and 0 until it is completed. */
  outputMimeType: string;
  outputSizeBytes: number;
  /** Duration of the audio in milliseconds. */
  durationMs: number;
  /** SHA-256 of the audio in hex. */
  sha256: string | null;
  /** Key of the audio in the blob store; null when none is stored. */
  blobKey: string | null;
  /** Duration of the work in milliseconds. */
  workMs: number;
  errorCondition: string | null;
  errorMessage: string | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}
