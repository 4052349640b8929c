import { type TimedText, type Transcription } from '@parley/protos/audio/v1/audio';
import { z } from 'zod';

const start = z.number().meta({ description: 'In seconds from the beginning of the recording.' });
const end = z.number().meta({ description: 'In seconds from the beginning of the recording.' });

/** A transcription in responses; the fields after `job_id` are only in `verbose_json`. */
export const transcription = z
  .object({
    text: z.string(),
    language: z.string(),
    duration: z.number().meta({ description: 'Of the audio, in seconds.' }),
    model: z.string(),
    job_id: z.string(),
    task: z.literal('transcribe').optional().meta({ description: 'Only in `verbose_json`.' }),
    segments: z
      .array(z.object({ id: z.int(), start, end, text: z.string() }))
      .optional()
      .meta({ description: 'Only in `verbose_json`: one for the whole recording where the engine provides no times.' }),
    words: z
      .array(z.object({ word: z.string(), start, end }))
      .optional()
      .meta({ description: 'Only in `verbose_json`, when they are requested and the engine provides their times.' }),
  })
  .meta({ id: 'Transcription' });

/** Converts a transcription to its JSON form. */
export function toTranscription({ text, language, durationSeconds, model, jobId }: Transcription): z.input<typeof transcription> {
  return { text, language, duration: durationSeconds, model, job_id: jobId };
}

/** Which times `verbose_json` includes: of segments, of words. */
export interface TimestampGranularities {
  segments: boolean;
  words: boolean;
}

/** Converts a transcription to `verbose_json`. Scores and tokens of OpenAI's format are left out: no engine provides all of them. */
export function toVerboseTranscription(from: Transcription, wanted: TimestampGranularities): z.input<typeof transcription> {
  const { segments: parts = [], words: spoken = [] } = from.times ?? {};
  const segments = parts.map((one, id) => ({ id, ...toTimes(one), text: one.text }));
  const words = spoken.map((one) => ({ word: one.text, ...toTimes(one) }));
  return {
    ...toTranscription(from),
    task: 'transcribe',
    ...(wanted.segments && { segments }),
    ...(wanted.words && words.length > 0 && { words }),
  };
}

function toTimes({ startSeconds, endSeconds }: TimedText): { start: number; end: number } {
  return { start: startSeconds, end: endSeconds };
}
