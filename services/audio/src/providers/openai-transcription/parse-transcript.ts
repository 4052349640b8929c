import { z } from 'zod';
import { type TimedText } from '../../domain/timed-text.ts';
import { type Transcript } from '../transcript.ts';

const seconds = z.number().nonnegative();
const times = { start: seconds, end: seconds };

/** `json` or `verbose_json`: https://platform.openai.com/docs/api-reference/audio/verbose-json-object */
const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish().catch(null),
  duration: z.coerce.number().positive().nullish().catch(null),
  segments: z.array(z.object({ ...times, text: z.string() })).catch([]),
  words: z.array(z.object({ ...times, word: z.string() })).catch([]),
});

/** Parses the response of a transcription server; undefined when it is not a transcript. Omits impossible times. */
export function parseTranscript(answer: unknown): Omit<Transcript, 'model'> | undefined {
  const { success, data } = answerSchema.safeParse(answer);
  if (!success) return undefined;
  return {
    text: data.text.trim(),
    language: isoCode(data.language),
    segments: inOrder(data.segments.map(({ text, start, end }) => toTimed(text, start, end))),
    words: inOrder(data.words.map(({ word, start, end }) => toTimed(word, start, end))),
    durationSeconds: data.duration ?? undefined,
  };
}

function toTimed(text: string, startSeconds: number, endSeconds: number): TimedText {
  return { text: text.trim(), startSeconds, endSeconds };
}

/** Returns the parts that have a text; none when a part ends before it starts, or starts before the previous one. */
function inOrder(parts: readonly TimedText[]): TimedText[] {
  const isOrdered = parts.every(({ startSeconds, endSeconds }, at) => {
    return startSeconds <= endSeconds && startSeconds >= (parts[at - 1]?.startSeconds ?? 0);
  });
  return isOrdered ? parts.filter(({ text }) => text !== '') : [];
}

/** Returns an ISO 639-1 code; empty for other values, such as `english`, which some servers return. */
function isoCode(language: string | null | undefined): string {
  return language && /^[a-z]{2}$/.test(language) ? language : '';
}
