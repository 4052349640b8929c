/** What quotas are of, in the units that are counted: requests, tokens, milliseconds of audio (spec §8). */
export const QUOTA_METRICS = ['requests', 'tokens', 'audio_ms'] as const;

/** One of them. */
export type QuotaMetric = (typeof QUOTA_METRICS)[number];

/** Whose quotas there are. */
export const QUOTA_KINDS = ['workspace', 'key'] as const;

/** One of them. */
export type QuotaKind = (typeof QUOTA_KINDS)[number];

/** English is spoken at about 14 characters a second. */
const MS_PER_CHARACTER = 70;

/**
 * How long a text will take to say, in milliseconds: what the edge reserves for a speech job, and what usage takes back of it when the job
 * ends. Both must come to the same, so neither may reckon by itself.
 */
export function expectedSpeechMs(characters: number): number {
  return Math.ceil(characters * MS_PER_CHARACTER);
}
