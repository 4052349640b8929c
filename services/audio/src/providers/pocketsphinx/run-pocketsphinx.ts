import { GatewayError } from '@parley/protos/errors';
import { join } from 'node:path';
import { runProgram } from '../../engines/run-program.ts';
import { MODEL_FILES, type PocketsphinxInstallation } from './find-pocketsphinx.ts';

/** Maximum size of the output in bytes; two hours of fast speech with the times of each word have a third of it. */
const MAX_TEXT_BYTES = 4 * 1_024 ** 2;

/** A recording for the program. */
export interface PocketsphinxInput {
  /** Raw samples: 16 kHz, mono, 16 bits. */
  pcmPath: string;
  /** Makes the program print the times of each word after its utterance. */
  wantsTimes: boolean;
}

/**
 * Runs the program on a recording and resolves with its output.
 * @throws TRANSCRIPTION_FAILED; the signal's reason, after the process has ended
 */
export async function runPocketsphinx(
  { program, models, libraries }: PocketsphinxInstallation,
  { pcmPath, wantsTimes }: PocketsphinxInput,
  signal: AbortSignal,
): Promise<string> {
  const model = (part: string): string => join(models, part);
  // Its log would contain the transcript.
  const args = ['-infile', pcmPath, '-logfn', '/dev/null'];
  args.push('-hmm', model(MODEL_FILES.acoustic), '-lm', model(MODEL_FILES.language), '-dict', model(MODEL_FILES.dictionary));
  if (wantsTimes) args.push('-time', 'yes');
  const env: Record<string, string> = libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {};
  try {
    return (await runProgram({ program, args, env, maxBytes: MAX_TEXT_BYTES }, signal)).toString('utf8');
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new GatewayError('TRANSCRIPTION_FAILED', 'the engine for transcription failed', { cause });
  }
}
