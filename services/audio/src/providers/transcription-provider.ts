import { type RecordingType } from '../domain/recording-type.ts';
import { type TimedText } from '../domain/timed-text.ts';

/** What an engine is to listen to. */
export interface TranscriptionInput {
  /** The recording as it came. */
  path: string;
  type: RecordingType;
  /** 16 kHz mono samples of 16 bits, for engines that want those. */
  pcmPath: string;
  /** ISO 639-1; empty: the engine decides. */
  language: string;
  /** Requests segments and words too. */
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
  /** Of the recording, if the engine provides it. */
  durationSeconds?: number | undefined;
}
