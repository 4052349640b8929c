import { requireSameRequest } from '@parley/kit/ids/idempotency-key';
import { type WorkOrigin } from '@parley/kit/rpc/work-origin';
import { GatewayError } from '@parley/protos/errors';
import type { PoolClient } from 'pg';
import { type StoredJob } from '../domain/job.ts';
import { changeJobs } from './change-jobs.ts';
import { JOB_COLUMNS } from './job-row.ts';
import { chargeCharacters } from './quota.ts';
import { type Store } from './store.ts';

/** A job that has been validated. */
export interface NewJob extends WorkOrigin {
  id: string;
  workspaceId: string;
  keyId: string;
  /** Empty without one. */
  idempotencyKey: string;
  /** Digest that identifies a repeated request. */
  requestDigest: Uint8Array;
  retryOf: string | null;
  provider: string;
  voice: string;
  model: string;
  language: string;
  responseFormat: string;
  providerOptions: string;
  input: string;
  inputCharacters: number;
}

/** Limits of a job. */
export interface JobLimits {
  /** How long its audio is kept after its creation, in milliseconds. */
  retentionMs: number;
  /** Maximum number of characters per workspace and day. */
  dailyCharacters: number;
}

const INSERT = `
INSERT INTO speech_jobs (id, workspace_id, key_id, idempotency_key, request_digest, retry_of, status, provider, voice, model, language,
                         response_format, provider_options, input, input_characters, next_attempt_at, expires_at,
                         request_id, traceparent)
VALUES ($1, $2, $3, nullif($4, ''), $5, $6, 'queued', $7, $8, $9, $10, $11, $12, $13, $14, now(), now() + $15 * interval '1 ms', $16, $17)
ON CONFLICT (workspace_id, key_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
RETURNING ${JOB_COLUMNS}`;

/**
 * Inserts a queued job and charges its characters to the quota, in one transaction with its event. Of concurrent requests with one
 * idempotency key, one is inserted; the others wait for it and return it.
 * @throws AUDIO_QUOTA_EXCEEDED; VALIDATION_ERROR when the key belongs to another request
 */
export async function createJob(store: Store, job: NewJob, { retentionMs, dailyCharacters }: JobLimits): Promise<StoredJob> {
  let known: StoredJob | undefined;
  const [created] = await changeJobs(store, async (client) => {
    const { rows } = await client.query<StoredJob>(INSERT, [
      ...[job.id, job.workspaceId, job.keyId, job.idempotencyKey, Buffer.from(job.requestDigest), job.retryOf, job.provider, job.voice],
      ...[job.model, job.language, job.responseFormat, job.providerOptions, job.input, job.inputCharacters, retentionMs],
      ...[job.requestId, job.traceparent],
    ]);
    if (rows.length > 0) await chargeCharacters(client, job.workspaceId, job.inputCharacters, dailyCharacters);
    else known = await findRepeatedJob(client, job);
    return rows;
  });
  const answer = created ?? known;
  if (!answer) throw new GatewayError('SERVICE_UNAVAILABLE', 'the job was removed at this moment');
  return answer;
}

/**
 * Finds the job of an earlier request with the same idempotency key; undefined without one.
 * @throws VALIDATION_ERROR when the key belongs to another request
 */
export async function findRepeatedJob(
  client: Pick<PoolClient, 'query'>,
  { workspaceId, keyId, idempotencyKey, requestDigest }: Pick<NewJob, 'workspaceId' | 'keyId' | 'idempotencyKey' | 'requestDigest'>,
): Promise<StoredJob | undefined> {
  if (idempotencyKey === '') return undefined;
  const { rows } = await client.query<StoredJob & { digest: Buffer }>(
    `SELECT ${JOB_COLUMNS}, request_digest AS digest FROM speech_jobs WHERE workspace_id = $1 AND key_id = $2 AND idempotency_key = $3`,
    [workspaceId, keyId, idempotencyKey],
  );
  const [job] = rows;
  if (job) requireSameRequest(job.digest, requestDigest, 'Idempotency-Key');
  return job;
}
