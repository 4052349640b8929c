import { GatewayError } from '@parley/protos/errors';
import { sdkKinds } from './ai-sdk/kinds/index.ts';
import { aiSdk } from './ai-sdk/provider.ts';
import { type ConnectFlow } from './connect-flow.ts';
import { formFlow } from './connect-form/form-flow.ts';
import { FORM_TEXTS } from './connect-form/texts.ts';
import { elevenLabs } from './elevenlabs/provider.ts';
import { httpApi } from './http-api/provider.ts';
import { openAiOfficial } from './openai/provider.ts';
import { openAiAudio } from './openai-audio/provider.ts';
import { type Emulation, openAiCompatible } from './openai-compatible/provider.ts';
import { type Pools } from './pools.ts';
import { type ConnectionKind, type ConnectionTraits, type Purpose } from './provider.ts';
import { sandbox } from './sandbox/provider.ts';

/** What can be connected, by the `provider` of the connections: chat products, and servers that the services for audio and actions call. */
export class ProviderRegistry {
  readonly #kinds: ReadonlyMap<string, ConnectionKind>;

  /** `emulation`: what stands in for projects and files where the upstream has none. `sandboxUrl`: where the sandbox is. */
  constructor(pools: Pools, emulation: Emulation, sandboxUrl?: string) {
    const chat = [sandbox(pools, sandboxUrl), openAiCompatible(pools, emulation), openAiOfficial(pools)];
    const bySdk = sdkKinds(pools).map((kind) => aiSdk(pools, emulation, kind));
    const audio = [openAiAudio(pools, 'speech'), elevenLabs(pools), openAiAudio(pools, 'transcription')];
    this.#kinds = new Map([...chat, ...bySdk, ...audio, httpApi(pools)].map((kind) => [kind.traits.name, kind]));
  }

  has(name: string): boolean {
    return this.#kinds.has(name);
  }

  /** The kind of a provider's connections. Throws VALIDATION_ERROR for one this build does not have. */
  get(name: string): ConnectionKind {
    const kind = this.#kinds.get(name);
    if (!kind)
      throw new GatewayError('VALIDATION_ERROR', `provider must be one of: ${[...this.#kinds.keys()].join(', ')}`, {
        param: 'provider',
      });
    return kind;
  }

  /** How a provider's accounts are connected step by step, and its name for people. Throws VALIDATION_ERROR for one this build does not have. */
  flowOf(name: string): { title: string; flow: ConnectFlow } {
    const kind = this.get(name);
    const texts = FORM_TEXTS[name] ?? { title: name };
    return kind.connectFlow ?? { title: texts.title, flow: formFlow(kind, texts) };
  }

  /** What every provider of this build declares. */
  traits(): ConnectionTraits[] {
    return [...this.#kinds.values()].map(({ traits }) => traits);
  }

  /** The providers whose connections are for this. */
  namesFor(purpose: Purpose): string[] {
    return [...this.#kinds.values()].flatMap(({ traits }) => (traits.purpose === purpose ? [traits.name] : []));
  }
}
