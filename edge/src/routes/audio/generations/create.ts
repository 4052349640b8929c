import { type CreateJobRequest } from '@parley/protos/audio/v1/audio';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { readHeader, requireSingleHeaders } from '../../../middleware/read-header.ts';
import { type audioJob, toAudioJob } from '../../../wire/audio-job.ts';
import { getLinkWriter } from '../../../wire/link-writer.ts';
import { type RouteDeps } from '../../deps.ts';
import { IDEMPOTENCY_KEY_HEADER, idempotencyKeyHeader } from '../../idempotency-key.ts';
import { type Input, type Reply } from '../../route.ts';
import { language, opaqueName, providerName, RESPONSE_FORMATS, speechTextField } from '../fields.ts';

const MAX_INPUT = 10_000;

/** Request header with the idempotency key of a job. */
export const jobHeaders = z.object({
  [IDEMPOTENCY_KEY_HEADER]: idempotencyKeyHeader.meta({ description: 'Same key and body: the same job; same key, other body: 422.' }),
});

/** The body of a new speech job; null means absent. */
export const createAudioJobBody = z
  .object({
    input: speechTextField(MAX_INPUT),
    voice: opaqueName,
    model: opaqueName.nullish(),
    language: language.nullish(),
    response_format: z
      .enum(RESPONSE_FORMATS)
      .nullish()
      .meta({ default: 'wav', description: '`aac` becomes WAV, as may any format of a provider.' }),
    provider: providerName.nullish(),
    provider_options: z
      .record(z.string(), z.unknown())
      .nullish()
      .meta({ description: 'Options of this provider; its capabilities have their JSON Schema.' }),
  })
  .meta({ id: 'NewAudioJob' });

/** Queues a text to be spoken and returns the job, which is stored durably before the response. */
export async function createAudioJob(
  { principal, body, req }: Input<undefined, undefined, z.output<typeof createAudioJobBody>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof audioJob>>> {
  const job = {
    input: body.input,
    voice: body.voice,
    provider: body.provider ?? '',
    responseFormat: body.response_format ?? 'wav',
    model: body.model ?? '',
    language: body.language ?? '',
    providerOptions: body.provider_options ? JSON.stringify(body.provider_options) : '',
  };
  requireSingleHeaders(req, [IDEMPOTENCY_KEY_HEADER]);
  const request = { ...job, idempotencyKey: readHeader(req.headers, IDEMPOTENCY_KEY_HEADER), requestDigest: toRequestDigest(job) };
  return { body: toAudioJob(await clients.audio.createJob(request, { caller: principal }), getLinkWriter(principal)) };
}

/** The fields that distinguish speech jobs, without the idempotency key. */
type DigestedJob = Omit<CreateJobRequest, 'idempotencyKey' | 'requestDigest'>;

/** Returns the SHA-256 of what makes two speech jobs the same. An absent field equals its default; a retry sends the same content. */
function toRequestDigest(job: DigestedJob): Buffer {
  const { input, voice, provider, responseFormat, model, language, providerOptions } = job;
  return hash('sha256', JSON.stringify([input, voice, provider, responseFormat, model, language, providerOptions]), 'buffer');
}
