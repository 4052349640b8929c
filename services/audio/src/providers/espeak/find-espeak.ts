import { type Logger } from '@parley/kit/log/logger';
import { constants } from 'node:fs/promises';
import { type SpeechVoice } from '../../domain/voice.ts';
import { hasAccess, listPathCandidates } from '../../engines/find-program.ts';
import { runProgram } from '../../engines/run-program.ts';
import { parseVoices } from './parse-voices.ts';

/** Where to look for espeak-ng. */
export interface EspeakConfig {
  /** A program, `auto` for the one on PATH, or `none`. */
  espeak: string;
  /** Value of PATH. */
  path: string;
}

/** An installed espeak-ng that works. */
export interface EspeakInstallation {
  program: string;
  /** English first; never empty. */
  voices: readonly SpeechVoice[];
}

const PROGRAM = 'espeak-ng';

/** Limits of listing the voices; the list has about 10 kB. */
const LIST = { maxBytes: 1_024 ** 2, timeoutMs: 10_000 };

/** Finds the operator's espeak-ng; undefined without one, or with one that has no voices. */
export async function findEspeak({ espeak, path }: EspeakConfig, log: Logger): Promise<EspeakInstallation | undefined> {
  if (espeak === 'none') return undefined;
  for (const program of espeak === 'auto' ? listPathCandidates(path, PROGRAM) : [espeak]) {
    if (!(await hasAccess(program, constants.X_OK))) continue;
    try {
      const list = await runProgram({ program, args: ['--voices'], ...LIST }, new AbortController().signal);
      const voices = parseVoices(list.toString('utf8'));
      if (voices.length > 0) return { program, voices };
      log.warn({ program }, 'espeak-ng has no voices and is not used');
    } catch (err) {
      log.warn({ err, program }, 'espeak-ng does not run and is not used');
    }
  }
  if (espeak !== 'auto') log.warn({ program: espeak }, 'PARLEY_ESPEAK names no usable espeak-ng');
  return undefined;
}
