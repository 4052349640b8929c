import { AdmissionQueue } from '../engines/admission-queue.ts';
import { PocketsphinxEngine } from '../providers/pocketsphinx/pocketsphinx-engine.ts';
import { type TranscriberDeps } from './transcribe-recording.ts';
import { type TranscriptionConfig } from './transcription-config.ts';

/** Fraction of the admitted recordings that one workspace may have. */
const WORKSPACE_SHARE = 0.5;

/** Limits of decoding a recording. */
const DECODING = { timeMs: 120_000, memoryMb: 384 };

/** Creates the dependencies of transcription from the configuration. */
export function createTranscriberDeps(
  config: TranscriptionConfig,
  deps: Pick<TranscriberDeps, 'store' | 'routing' | 'scratch' | 'log'>,
): TranscriberDeps {
  const { maxBytes, maxDurationMs, timeoutMs, concurrency, workspaceConcurrency, maxAdmitted } = config;
  const maxAdmittedPerWorkspace = Math.max(workspaceConcurrency, Math.ceil(maxAdmitted * WORKSPACE_SHARE));
  return {
    ...deps,
    limiter: new AdmissionQueue({
      maxRunning: concurrency,
      maxRunningPerWorkspace: workspaceConcurrency,
      maxAdmitted,
      maxAdmittedPerWorkspace,
    }),
    pocketsphinx: new PocketsphinxEngine(config.pocketsphinx),
    limits: { maxBytes, timeoutMs, decoding: { ...DECODING, maxSeconds: maxDurationMs / 1_000 } },
  };
}
