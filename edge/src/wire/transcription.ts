import { type Transcription } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';

/** What was said. */
export const transcription = z
  .object({
    text: z.string(),
    language: z.string(),
    duration: z.number().meta({ description: 'Of the audio, in seconds.' }),
    model: z.string(),
    job_id: z.string(),
  })
  .meta({ id: 'Transcription' });

/** The wire form of a transcription. */
export function toTranscription({ text, language, durationSeconds, model, jobId }: Transcription): z.input<typeof transcription> {
  return { text, language, duration: durationSeconds, model, job_id: jobId };
}
