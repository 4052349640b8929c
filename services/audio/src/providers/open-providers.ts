import { type Logger } from '@parley/kit/log/logger';
import { type Stub } from '@parley/kit/rpc/client';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type EnginePool } from '../engines/engine-pool.ts';
import { type Scratch } from '../engines/scratch.ts';
import { AdmissionQueue } from '../engines/admission-queue.ts';
import { elevenLabsProvider } from './elevenlabs/provider.ts';
import { type EspeakConfig, findEspeak } from './espeak/find-espeak.ts';
import { espeakProvider } from './espeak/provider.ts';
import { fliteProvider } from './flite/provider.ts';
import { openaiSpeechProvider } from './openai-speech/provider.ts';
import { type SpeechProvider } from './provider.ts';
import { Providers } from './providers.ts';

/** What the gateway's speech providers need. */
export interface ProviderDeps {
  routing: Stub<typeof ChatRoutingServiceService>;
  scratch: Scratch;
  log: Logger;
  /** Those that come before the gateway's own. */
  first: readonly SpeechProvider[];
}

/** Looks which speech providers there are, the best first; the answer puts them together over a pool of engines. */
export async function openProviders(
  { espeak: config, workers }: { espeak: EspeakConfig; workers: number },
  { routing, scratch, log, first }: ProviderDeps,
): Promise<(engines: EnginePool) => Providers> {
  const espeak = await findEspeak(config, log);
  const turns = { running: workers, runningOfWorkspace: workers };
  // One for jobs and for what is spoken at once: they have their lists of voices in common.
  const elevenLabs = elevenLabsProvider(routing);
  return (engines) =>
    new Providers(
      [
        ...[...first, openaiSpeechProvider(routing), elevenLabs, fliteProvider(engines, scratch)],
        ...(espeak ? [espeakProvider(espeak, new AdmissionQueue(turns))] : []),
      ],
      routing,
    );
}
