import { PocketsphinxEngine } from '../providers/pocketsphinx/pocketsphinx.ts';
import { type TranscriberDeps } from './transcriber.ts';
import { type TranscriptionConfig } from './transcription-config.ts';
import { AdmissionQueue } from '../engines/admission-queue.ts';

/** How much of the gateway one workspace may fill. */
const WORKSPACE_SHARE = 0.5;

/** What decoding may take of the time and of the memory. */
const DECODING = { timeMs: 120_000, memoryMb: 384 };

/** What transcription works with. */
export function openTranscriber(
  config: TranscriptionConfig,
  deps: Pick<TranscriberDeps, 'store' | 'routing' | 'scratch' | 'log'>,
): TranscriberDeps {
  const { maxBytes, maxDurationMs, timeoutMs, concurrency, workspaceConcurrency, inHand } = config;
  const insideOfWorkspace = Math.max(workspaceConcurrency, Math.ceil(inHand * WORKSPACE_SHARE));
  return {
    ...deps,
    limiter: new AdmissionQueue({ running: concurrency, runningOfWorkspace: workspaceConcurrency, inside: inHand, insideOfWorkspace }),
    pocketsphinx: new PocketsphinxEngine(config.pocketsphinx),
    limits: { maxBytes, timeoutMs, decoding: { ...DECODING, maxSeconds: maxDurationMs / 1_000 } },
  };
}
