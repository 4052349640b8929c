import { GatewayError } from '@parley/protos/errors';
import { type Transcript, type TranscriptionInput } from '../transcript.ts';
import { findPocketsphinx, type PocketsphinxInstallation, type PocketsphinxConfig } from './find-pocketsphinx.ts';
import { parseOutput } from './parse-output.ts';
import { runPocketsphinx } from './run-pocketsphinx.ts';

/** Shortest interval between two searches while the program is missing, in milliseconds; it may be being installed. */
const LOOK_MS = 2_000;

/** The local engine for English; runs a separate process for each recording. */
export class PocketsphinxEngine {
  readonly name = 'pocketsphinx';
  readonly needsSamples = true;
  readonly #places: PocketsphinxConfig;
  #found: PocketsphinxInstallation | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(places: PocketsphinxConfig) {
    this.#places = places;
  }

  /** Resolves with the installed program; undefined while it is missing. */
  async findInstallation(): Promise<PocketsphinxInstallation | undefined> {
    if (this.#found || performance.now() - this.#lookedAt < LOOK_MS) return this.#found;
    this.#found = await findPocketsphinx(this.#places);
    this.#lookedAt = performance.now();
    return this.#found;
  }

  /** Checks a requested language. @throws VALIDATION_ERROR for any language other than English */
  requireLanguage(language: string): void {
    if (language === '' || language === 'en') return;
    const message = 'transcription understands English only here: leave it out, say en, or connect an openai-transcription account';
    throw new GatewayError('VALIDATION_ERROR', message, { param: 'language' });
  }

  /**
   * Transcribes a recording. The process ends at once when the signal aborts.
   * @throws TRANSCRIPTION_FAILED when it fails, TRANSCRIPTION_DISABLED when it is not installed; the signal's reason
   */
  async transcribe(input: TranscriptionInput, signal: AbortSignal): Promise<Transcript> {
    const engine = await this.findInstallation();
    if (!engine) throw new GatewayError('TRANSCRIPTION_DISABLED', 'there is no engine for transcription');
    try {
      const output = parseOutput(await runPocketsphinx(engine, input, signal));
      return { ...output, language: 'en', model: 'pocketsphinx-en-us' };
    } catch (error) {
      // The program may have been removed; the next call searches again, unless this one was only aborted.
      if (!signal.aborted) [this.#found, this.#lookedAt] = [undefined, Number.NEGATIVE_INFINITY];
      throw error;
    }
  }
}
