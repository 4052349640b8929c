import { hash } from 'node:crypto';
import { type CreateJobRequest } from '@parley/protos/audio/v1/audio';

/** What distinguishes speech jobs, apart from their keys. */
export type DigestedJob = Omit<CreateJobRequest, 'idempotencyKey' | 'requestDigest'>;

/** SHA-256 of all that makes two speech jobs the same one. What is absent is the same as what it defaults to; a retry sends the same bytes. */
export function toRequestDigest(job: DigestedJob): Buffer {
  const { input, voice, provider, responseFormat, model, language, providerOptions } = job;
  return hash('sha256', JSON.stringify([input, voice, provider, responseFormat, model, language, providerOptions]), 'buffer');
}
