import { type RecordingType } from '../domain/recording-type.ts';
import { type TimedText } from '../domain/timed-text.ts';

/** A recording to be transcribed, with its options. */
export interface TranscriptionInput {
  /** Path of the unmodified recording. */
  path: string;
  type: RecordingType;
  /** Path of its samples (16 kHz, mono, 16 bits), for engines with `needsSamples`. */
  pcmPath: string;
  /** ISO 639-1; empty to have it detected by the engine. */
  language: string;
  /** Whether segments and words with times are requested. */
  wantsTimes: boolean;
}

/** The result of a transcription. Never logged, never stored. */
export interface Transcript {
  text: string;
  /** ISO 639-1; empty when unknown. */
  language: string;
  model: string;
  /** In order; empty, like `words`, when they were not requested or the engine provides none. */
  segments: readonly TimedText[];
  words: readonly TimedText[];
  /** Duration of the recording, if the engine reports it. */
  durationSeconds?: number | undefined;
}
