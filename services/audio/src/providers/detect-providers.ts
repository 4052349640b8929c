import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { AdmissionQueue } from '../engines/admission-queue.ts';
import { type EnginePool } from '../engines/engine-pool.ts';
import { type ScratchSpace } from '../engines/scratch-space.ts';
import { elevenLabsProvider } from './elevenlabs/provider.ts';
import { type EspeakConfig, findEspeak } from './espeak/find-espeak.ts';
import { espeakProvider } from './espeak/provider.ts';
import { fliteProvider } from './flite/provider.ts';
import { openaiSpeechProvider } from './openai-speech/provider.ts';
import { type SpeechProvider } from './speech-provider.ts';
import { SpeechProviders } from './speech-providers.ts';

/** Dependencies of the speech providers. */
export interface ProviderDeps {
  routing: Stub<typeof ChatRoutingServiceService>;
  scratch: ScratchSpace;
  log: Logger;
  /** Providers that are preferred over the built-in ones. */
  preferredProviders: readonly SpeechProvider[];
}

/** Detects the available speech providers; resolves with a function that creates them, in order of preference, for a pool of engines. */
export async function detectProviders(
  { espeak: config, workers }: { espeak: EspeakConfig; workers: number },
  { routing, scratch, log, preferredProviders }: ProviderDeps,
): Promise<(engines: EnginePool) => SpeechProviders> {
  const espeak = await findEspeak(config, log);
  const turns = { maxRunning: workers, maxRunningPerWorkspace: workers };
  // One provider for jobs and synchronous speech, so that they share the cached voices.
  const elevenLabs = elevenLabsProvider(routing);
  return (engines) =>
    new SpeechProviders(
      [
        ...[...preferredProviders, openaiSpeechProvider(routing), elevenLabs, fliteProvider(engines, scratch)],
        ...(espeak ? [espeakProvider(espeak, new AdmissionQueue(turns))] : []),
      ],
      routing,
    );
}
