import { TextExtractor } from '@parley/file-content/extract';
import { chatExecutor, type Turns } from './chat.ts';
import { type Connections } from './credentials.ts';
import { EgressGuard, type Resolver } from './egress-guard.ts';
import { type EgressPolicy } from './egress-policy.ts';
import { extractTextExecutor, MAX_EXTRACTED_BYTES } from './extract-text.ts';
import { httpExecutor } from './http.ts';
import { type GeneratedAssets } from './keep-speech.ts';
import { type Inputs } from './read-input.ts';
import { renderExecutor } from './render.ts';
import { selectExecutor } from './select.ts';
import { speakExecutor, type SpeechJobs } from './speak.ts';
import { type StepExecutors } from './step-executor.ts';
import { transcribeExecutor, type Transcriptions } from './transcribe.ts';

/** Dependencies of the executors of steps. */
export interface StepDeps {
  routing: Connections & Turns;
  audio: SpeechJobs & Transcriptions;
  assets: Inputs & GeneratedAssets;
  egress: EgressPolicy;
  /** Maximum size of an API's response in bytes. */
  maxResponseBytes: number;
  /** Number of processes that read files, and the timeout per file in milliseconds. */
  reading: { readers: number; timeMs: number };
  /** How long runs are kept after their end, in milliseconds. */
  retentionMs: number;
  /** Resolves the host names of APIs. @default the system */
  resolver?: Resolver;
}

/** Creates the executors by kind of step; dispose of them when no step is in progress. */
export function createExecutors(deps: StepDeps): StepExecutors & AsyncDisposable {
  const { routing, audio, assets, egress, maxResponseBytes, reading, retentionMs, resolver } = deps;
  const guard = new EgressGuard(egress, resolver);
  const extractor = new TextExtractor({ ...reading, inputBytes: MAX_EXTRACTED_BYTES });
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
