import { type Origin } from '@parley/kit/rpc/origin';

/** The status of a speech job. `created` and `validated` exist only within the transaction that inserts it. */
export type JobStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'cancelled';

/** Every status that a job of the contract can have. */
export const JOB_STATUSES: readonly string[] = ['created', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled'];

/** A speech job as the record has it. */
export interface StoredJob extends Origin {
  id: string;
  workspaceId: string;
  keyId: string;
  /** The failed job it repeats. */
  retryOf: string | null;
  status: JobStatus;
  provider: string;
  /** As the provider calls it. */
  voice: string;
  model: string;
  language: string;
  /** As asked for. */
  responseFormat: string;
  /** A JSON object; empty without any. */
  providerOptions: string;
  inputCharacters: number;
  /** In percent. */
  progress: number;
  /** Empty and 0 until it is completed. */
  outputMimeType: string;
  outputSizeBytes: number;
  /** Of the audio. */
  durationMs: number;
  /** Of the bytes, in hex. */
  sha256: string | null;
  /** Null unless bytes are kept. */
  blobKey: string | null;
  /** Of the work. */
  workMs: number;
  errorCondition: string | null;
  errorMessage: string | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}
