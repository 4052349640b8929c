/** Units that a quota can limit: requests, tokens, or milliseconds of audio. */
export const QUOTA_METRICS = ['requests', 'tokens', 'audio_ms'] as const;

/** One of `QUOTA_METRICS`. */
export type QuotaMetric = (typeof QUOTA_METRICS)[number];

/** Kinds of subjects that a quota can belong to. */
export const QUOTA_SUBJECT_KINDS = ['workspace', 'key'] as const;

/** One of `QUOTA_SUBJECT_KINDS`. */
export type QuotaSubjectKind = (typeof QUOTA_SUBJECT_KINDS)[number];

/** Spoken English has about 14 characters per second. */
const MS_PER_CHARACTER = 70;

/**
 * Returns the expected duration of a spoken text in milliseconds. The edge reserves it for a speech job, and usage settles the reservation
 * when the job ends; both must use the same estimate.
 */
export function estimateSpeechMs(characters: number): number {
  return Math.ceil(characters * MS_PER_CHARACTER);
}
