import { type Job } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';
import { failure, toFailure } from './failure.ts';
import { type LinkWriter } from './link-writer.ts';
import { toTimestamp } from './time.ts';
import { toKnownValue } from './to-known-value.ts';

/** Statuses of a speech job in the API. */
export const JOB_STATUSES = ['created', 'validated', 'queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

/** A speech job in responses. */
export const audioJob = z
  .object({
    id: z.uuid(),
    status: z.enum(JOB_STATUSES),
    provider: z.string(),
    voice: z.string(),
    model: z.string().nullable(),
    language: z.string().nullable(),
    response_format: z.string().meta({ description: 'The requested format; `output_mime_type` is the actual one.' }),
    input_characters: z.int(),
    progress: z.int().min(0).max(100).meta({ description: 'Progress in percent.' }),
    output_mime_type: z.string().nullable().meta({ description: 'Null until it is completed.' }),
    output_size_bytes: z.int().nullable().meta({ description: 'Null until it is completed.' }),
    duration_ms: z.int().nullable().meta({ description: 'Of the audio; null until it is completed.' }),
    content_url: z.string().meta({ description: 'Path of the audio; null until the job is completed.' }),
    retry_of: z.uuid().nullable().meta({ description: 'The failed job that it repeats.' }),
    error: failure.nullable().meta({ description: 'Why it failed.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    expires_at: z.iso.datetime().meta({ description: 'When the audio is deleted.' }),
  })
  .meta({ id: 'AudioJob' });

/** Converts a speech job to its JSON form; `link` writes the URL of the audio. */
export function toAudioJob(from: Job, link: LinkWriter): z.input<typeof audioJob> {
  const status = toKnownValue(JOB_STATUSES, from.status, 'processing');
  const isCompleted = status === 'completed';
  const createdAt = from.createdAt ?? new Date(0);
  return {
    id: from.id,
    status,
    provider: from.provider,
    voice: from.voice,
    model: from.model || null,
    language: from.language || null,
    response_format: from.responseFormat,
    input_characters: from.inputCharacters,
    progress: from.progress,
    output_mime_type: isCompleted ? from.outputMimeType : null,
    output_size_bytes: isCompleted ? from.outputSizeBytes : null,
    duration_ms: isCompleted ? from.durationMs : null,
    content_url: link(`/v1/audio/generations/${from.id}/content`),
    retry_of: from.retryOf || null,
    error: status === 'failed' ? toFailure(from.error) : null,
    created_at: toTimestamp(createdAt),
    updated_at: toTimestamp(from.updatedAt ?? createdAt),
    expires_at: toTimestamp(from.expiresAt ?? createdAt),
  };
}
