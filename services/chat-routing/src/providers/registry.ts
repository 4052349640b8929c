import { GatewayError } from '@parley/protos/errors';
import { listSdkProviders } from './ai-sdk/kinds/index.ts';
import { aiSdk } from './ai-sdk/provider.ts';
import { type StoredFlowMachine } from './connect-flow.ts';
import { formFlow } from './connect-form/form-flow.ts';
import { FORM_TEXTS } from './connect-form/texts.ts';
import { elevenLabs } from './elevenlabs/provider.ts';
import { httpApi } from './http-api/provider.ts';
import { type HttpPools } from './http-pools.ts';
import { openAiAudio } from './openai-audio/provider.ts';
import { type EmulationDeps, openAiCompatible } from './openai-compatible/provider.ts';
import { openAiOfficial } from './openai/provider.ts';
import { type ConnectionProvider, type ConnectionTraits, type Purpose } from './provider.ts';
import { sandbox } from './sandbox/provider.ts';

/** All providers of this build by name: chat providers, and those that the audio and actions services call. */
export class ProviderRegistry {
  readonly #kinds: ReadonlyMap<string, ConnectionProvider>;

  /** `emulation`: dependencies of emulated projects and files. `sandboxUrl`: base URL of the sandbox; without it users enter one. */
  constructor(pools: HttpPools, emulation: EmulationDeps, sandboxUrl?: string) {
    const chat = [sandbox(pools, sandboxUrl), openAiCompatible(pools, emulation), openAiOfficial(pools)];
    const bySdk = listSdkProviders(pools).map((kind) => aiSdk(pools, emulation, kind));
    const audio = [openAiAudio(pools, 'speech'), elevenLabs(pools), openAiAudio(pools, 'transcription')];
    this.#kinds = new Map([...chat, ...bySdk, ...audio, httpApi(pools)].map((kind) => [kind.traits.name, kind]));
  }

  has(name: string): boolean {
    return this.#kinds.has(name);
  }

  /** Returns the provider with this name. Throws VALIDATION_ERROR for one that this build does not have. */
  get(name: string): ConnectionProvider {
    const kind = this.#kinds.get(name);
    if (!kind)
      throw new GatewayError('VALIDATION_ERROR', `provider must be one of: ${[...this.#kinds.keys()].join(', ')}`, {
        param: 'provider',
      });
    return kind;
  }

  /** Returns a provider's connect flow and display name. Throws VALIDATION_ERROR for a provider that this build does not have. */
  getFlow(name: string): { title: string; flow: StoredFlowMachine } {
    const kind = this.get(name);
    const texts = FORM_TEXTS[name] ?? { title: name };
    return kind.connectFlow ?? { title: texts.title, flow: formFlow(kind, texts) };
  }

  /** Returns the traits of every provider of this build. */
  traits(): ConnectionTraits[] {
    return [...this.#kinds.values()].map(({ traits }) => traits);
  }

  /** Returns the names of the providers for a purpose. */
  listNames(purpose: Purpose): string[] {
    return [...this.#kinds.values()].flatMap(({ traits }) => (traits.purpose === purpose ? [traits.name] : []));
  }
}
