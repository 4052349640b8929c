import { TextExtractor } from '@parley/file-content/extract';
import { chatExecutor, type TurnsClient } from './chat.ts';
import { type ConnectionsClient } from './credentials.ts';
import { EgressGuard, type Resolver } from './egress-guard.ts';
import { type EgressPolicy } from './egress-policy.ts';
import { extractTextExecutor, MAX_INPUT_FILE_BYTES } from './extract-text.ts';
import { httpExecutor } from './http.ts';
import { type InputFilesClient } from './open-input-file.ts';
import { renderExecutor } from './render.ts';
import { selectExecutor } from './select.ts';
import { speakExecutor, type SpeechJobsClient } from './speak.ts';
import { type StepExecutors } from './step-executor.ts';
import { type GeneratedAssetsClient } from './store-speech.ts';
import { transcribeExecutor, type TranscriptionClient } from './transcribe.ts';

/** Dependencies of the executors of steps. */
export interface ExecutorDeps {
  routing: ConnectionsClient & TurnsClient;
  audio: SpeechJobsClient & TranscriptionClient;
  assets: InputFilesClient & GeneratedAssetsClient;
  egress: EgressPolicy;
  /** Maximum size of an API's response in bytes. */
  maxResponseBytes: number;
  /** Number of processes that read files, and the timeout per file in milliseconds. */
  textExtraction: { readers: number; timeMs: number };
  /** How long runs are kept after their end, in milliseconds. */
  retentionMs: number;
  /** Resolves the host names of APIs. @default the system */
  resolver?: Resolver;
}

/** Creates the executors by kind of step; dispose of them when no step is in progress. */
export function createExecutors(deps: ExecutorDeps): StepExecutors & AsyncDisposable {
  const { routing, audio, assets, egress, maxResponseBytes, textExtraction, retentionMs, resolver } = deps;
  const guard = new EgressGuard(egress, resolver);
  const extractor = new TextExtractor({ ...textExtraction, inputBytes: MAX_INPUT_FILE_BYTES });
  return {
    http: httpExecutor({ connections: routing, guard, maxResponseBytes }),
    chat: chatExecutor(routing),
    speak: speakExecutor(audio, { assets, retentionMs }),
    transcribe: transcribeExecutor(audio, assets),
    extractText: extractTextExecutor(assets, extractor),
    render: renderExecutor(),
    select: selectExecutor(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([guard.close(), extractor.close()]);
    },
  };
}
