import { type Job } from '@parley/protos/audio/v1/audio';
import { type StoredJob } from '../domain/job.ts';

/** Converts a stored job to its message. */
export function toJob(job: StoredJob): Job {
  const { id, status, provider, voice, outputMimeType, outputSizeBytes, durationMs, createdAt, updatedAt, expiresAt } = job;
  const { inputCharacters, progress, model, language, responseFormat, errorCondition, errorMessage } = job;
  return {
    ...{ id, status, provider, voice, outputMimeType, outputSizeBytes, durationMs, createdAt, updatedAt, expiresAt },
    ...{ inputCharacters, progress, model, language, responseFormat, retryOf: job.retryOf ?? '' },
    error: errorCondition === null ? undefined : { condition: errorCondition, message: errorMessage ?? '' },
  };
}
