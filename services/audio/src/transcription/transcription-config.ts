import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, count, durationMs } from '@parley/kit/config/fields';
import { z } from 'zod';
import { type PocketsphinxConfig } from '../providers/pocketsphinx/find-pocketsphinx.ts';

/** What transcription needs and may cost; times in milliseconds. */
export interface TranscriptionConfig {
  /** Where the engine of this machine is. @default wherever PATH has it */
  pocketsphinx: PocketsphinxConfig;
  /** Where recordings and texts lie while engines work on them; private, and swept at the start. @default `parley-audio` in the system's temporary folder */
  scratchFolder: string;
  /** @default 25 MiB */
  maxBytes: number;
  /** Of a recording. @default 2 hours */
  maxDurationMs: number;
  /** From the last byte of an upload to its answer. @default 5 minutes */
  timeoutMs: number;
  /** Transcriptions that this process works on at once. @default 2 */
  concurrency: number;
  /** And of one workspace. @default 1 */
  workspaceConcurrency: number;
  /** Recordings that this process has in hand, those that arrive and wait too; more are turned away. @default 16 */
  inHand: number;
}

const MIB = 1_024 ** 2;

/** Its part of the environment. */
export const TRANSCRIPTION_FIELDS = {
  PATH: z.string().default(''),
  PARLEY_POCKETSPHINX: z.string().min(1).optional(),
  PARLEY_POCKETSPHINX_MODEL: z.string().min(1).optional(),
  PARLEY_AUDIO_SCRATCH: z.string().min(1).default(join(tmpdir(), 'parley-audio')),
  PARLEY_TRANSCRIPTION_MAX_BYTES: bytes.default(25 * MIB),
  PARLEY_TRANSCRIPTION_MAX_DURATION: durationMs.default(7_200_000),
  PARLEY_TRANSCRIPTION_TIMEOUT: durationMs.default(300_000),
  PARLEY_TRANSCRIPTION_CONCURRENCY: count(1, 64).default(2),
  PARLEY_TRANSCRIPTION_WORKSPACE_CONCURRENCY: count(1, 64).default(1),
  PARLEY_TRANSCRIPTION_IN_HAND: count(1, 1_000).default(16),
};

/** Reads its part. */
export function transcriptionConfig(read: z.output<z.ZodObject<typeof TRANSCRIPTION_FIELDS>>): TranscriptionConfig {
  return {
    pocketsphinx: { place: read.PARLEY_POCKETSPHINX, models: read.PARLEY_POCKETSPHINX_MODEL, path: read.PATH },
    scratchFolder: read.PARLEY_AUDIO_SCRATCH,
    maxBytes: read.PARLEY_TRANSCRIPTION_MAX_BYTES,
    maxDurationMs: read.PARLEY_TRANSCRIPTION_MAX_DURATION,
    timeoutMs: read.PARLEY_TRANSCRIPTION_TIMEOUT,
    concurrency: read.PARLEY_TRANSCRIPTION_CONCURRENCY,
    workspaceConcurrency: read.PARLEY_TRANSCRIPTION_WORKSPACE_CONCURRENCY,
    inHand: read.PARLEY_TRANSCRIPTION_IN_HAND,
  };
}
