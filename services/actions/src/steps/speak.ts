import { type Stub } from '@parley/kit/rpc/client';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { type AudioServiceService, type Job } from '@parley/protos/audio/v1/audio';
import { GatewayError, isErrorCondition, toGatewayError } from '@parley/protos/errors';
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject } from '../domain/json.ts';
import { requireObjectPayload, requireTextField } from './payload.ts';
import { invalidStepError, toInternalCallError } from './step-errors.ts';
import { toInternalIdempotencyKey, type StepExecutor, type StepRequest } from './step-executor.ts';
import { type StoreSpeechDeps, storeSpeech, type SpeechContentClient } from './store-speech.ts';

/** The audio service's RPCs for speech jobs. */
export type SpeechJobsClient = Pick<Stub<typeof AudioServiceService>, 'createJob' | 'getJob' | 'cancelJob'> & SpeechContentClient;

/** OpenAI's first voice name; every provider maps it to one of its voices. */
const ANY_VOICE = 'alloy';
const DEADLINE_MS = 10_000;
const FIRST_LOOK_MS = 100;
const LONGEST_LOOK_MS = 2_000;

/**
 * Returns the executor of `speak`: creates a speech job, waits for it and stores its audio as an asset. Payload: `input`, and `voice`,
 * `provider`, `model`, `language` and `response_format` as in `POST /v1/audio/generations`. A worker that resumes the step waits for the
 * same job; a retry after a failure creates another one. Body: the job, with `content_url`, `asset_id` and `download_url`.
 */
export function speakExecutor(jobs: SpeechJobsClient, keeping: StoreSpeechDeps): StepExecutor {
  return {
    execute: async (request, signal) => {
      const wanted = wantedJob(request);
      const { caller, traceparent } = request;
      let job: Job | undefined;
      try {
        job = await jobs.createJob(wanted, { caller, traceparent, signal, deadlineMs: DEADLINE_MS });
        job = await ended(jobs, job, request, signal);
        const asset = await storeSpeech(jobs, keeping, job.id, request, signal);
        return { statusCode: 200, headers: {}, body: { ...jobView(job), ...assetView(asset) } };
      } catch (error) {
        if (job && isAborted(signal)) await cancel(jobs, job, request);
        throw toInternalCallError(error, signal);
      }
    },
  };
}

function wantedJob(request: StepRequest) {
  const { payload } = request;
  const given = requireObjectPayload(payload);
  return {
    input: requireTextField(given, 'input'),
    voice: requireTextField(given, 'voice', ANY_VOICE),
    provider: requireTextField(given, 'provider', ''),
    responseFormat: formatField(given),
    model: requireTextField(given, 'model', ''),
    language: requireTextField(given, 'language', ''),
    providerOptions: '',
    idempotencyKey: toInternalIdempotencyKey(request),
    requestDigest: hash('sha256', JSON.stringify(given), 'buffer'),
  };
}

/** Returns the format of the audio. Rejects `pcm`: raw samples do not describe their format, and an asset must. */
function formatField(payload: JsonObject): string {
  const format = requireTextField(payload, 'response_format', '');
  if (format === 'pcm') throw invalidStepError("response_format of the step's payload cannot be pcm");
  return format;
}

async function ended(jobs: SpeechJobsClient, first: Job, { caller, traceparent }: StepRequest, signal: AbortSignal): Promise<Job> {
  let job = first;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_LOOK_MS)) {
    if (job.status === 'completed') return job;
    if (job.status === 'failed') throw toFailure(job);
    if (job.status === 'cancelled') throw new GatewayError('ACTION_STEP_FAILED', 'the speech job was cancelled');
    await delay(wait, undefined, { signal });
    job = await jobs.getJob({ id: job.id }, { caller, traceparent, signal, deadlineMs: DEADLINE_MS });
  }
}

function toFailure({ error }: Job): GatewayError {
  const condition = error && isErrorCondition(error.condition) ? error.condition : 'ACTION_STEP_FAILED';
  return new GatewayError(condition, error?.message ?? 'the speech job failed');
}

/**
 * Whether the job should be cancelled: on a timeout or a cancel. A worker that stops or lost its lease leaves the job to the worker that
 * resumes the run.
 */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted && ['TIMEOUT', 'CANCELLED'].includes(toGatewayError(signal.reason).condition);
}

/** Cancels a job; a job that has ended in the meantime is not an error. */
async function cancel(jobs: SpeechJobsClient, { id }: Job, { caller, traceparent }: StepRequest): Promise<void> {
  await jobs.cancelJob({ id }, { caller, traceparent, deadlineMs: DEADLINE_MS }).catch(() => undefined);
}

function jobView(job: Job): JsonObject {
  return {
    id: job.id,
    status: job.status,
    provider: job.provider,
    voice: job.voice,
    output_mime_type: job.outputMimeType,
    output_size_bytes: job.outputSizeBytes,
    duration_ms: job.durationMs,
    expires_at: job.expiresAt?.toISOString() ?? null,
    content_url: `/v1/audio/generations/${job.id}/content`,
  };
}

function assetView({ id }: Asset): JsonObject {
  return { asset_id: id, download_url: `/v1/assets/${id}/download` };
}
