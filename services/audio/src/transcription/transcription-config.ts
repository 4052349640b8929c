import { byteSize, integerBetween, durationMs } from '@parley/kit/config/fields';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type PocketsphinxConfig } from '../providers/pocketsphinx/find-pocketsphinx.ts';

/** Configuration of transcription; times are in milliseconds. */
export interface TranscriptionConfig {
  /** Where to look for the local engine. @default PATH */
  pocketsphinx: PocketsphinxConfig;
  /**
   * Private folder for recordings and texts while engines process them; cleaned up at start.
   * @default `parley-audio` in the system's temporary folder
   */
  scratchFolder: string;
  /** @default 25 MiB */
  maxBytes: number;
  /** Maximum duration of a recording. @default 2 hours */
  maxDurationMs: number;
  /** Timeout from the last byte of an upload to its response. @default 5 minutes */
  timeoutMs: number;
  /** Maximum number of concurrent transcriptions in this process. @default 2 */
  concurrency: number;
  /** Maximum number of concurrent transcriptions of one workspace. @default 1 */
  workspaceConcurrency: number;
  /** Maximum number of admitted recordings in this process, including those that arrive or wait; more are rejected. @default 16 */
  maxAdmitted: number;
}

const MIB = 1_024 ** 2;

/** Environment variables of transcription, as schema fields. */
export const TRANSCRIPTION_FIELDS = {
  PATH: z.string().default(''),
  PARLEY_POCKETSPHINX: z.string().min(1).optional(),
  PARLEY_POCKETSPHINX_MODEL: z.string().min(1).optional(),
  PARLEY_AUDIO_SCRATCH: z.string().min(1).default(join(tmpdir(), 'parley-audio')),
  PARLEY_TRANSCRIPTION_MAX_BYTES: byteSize.default(25 * MIB),
  PARLEY_TRANSCRIPTION_MAX_DURATION: durationMs.default(7_200_000),
  PARLEY_TRANSCRIPTION_TIMEOUT: durationMs.default(300_000),
  PARLEY_TRANSCRIPTION_CONCURRENCY: integerBetween(1, 64).default(2),
  PARLEY_TRANSCRIPTION_WORKSPACE_CONCURRENCY: integerBetween(1, 64).default(1),
  PARLEY_TRANSCRIPTION_IN_HAND: integerBetween(1, 1_000).default(16),
};

/** Converts the parsed variables to the configuration of transcription. */
export function toTranscriptionConfig(read: z.output<z.ZodObject<typeof TRANSCRIPTION_FIELDS>>): TranscriptionConfig {
  return {
    pocketsphinx: { location: read.PARLEY_POCKETSPHINX, models: read.PARLEY_POCKETSPHINX_MODEL, path: read.PATH },
    scratchFolder: read.PARLEY_AUDIO_SCRATCH,
    maxBytes: read.PARLEY_TRANSCRIPTION_MAX_BYTES,
    maxDurationMs: read.PARLEY_TRANSCRIPTION_MAX_DURATION,
    timeoutMs: read.PARLEY_TRANSCRIPTION_TIMEOUT,
    concurrency: read.PARLEY_TRANSCRIPTION_CONCURRENCY,
    workspaceConcurrency: read.PARLEY_TRANSCRIPTION_WORKSPACE_CONCURRENCY,
    maxAdmitted: read.PARLEY_TRANSCRIPTION_IN_HAND,
  };
}
