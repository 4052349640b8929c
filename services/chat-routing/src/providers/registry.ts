import { GatewayError } from '@parley/protos/errors';
import { type Emulation, openAiCompatible } from './openai-compatible/provider.ts';
import { type Pools } from './pools.ts';
import { type ChatProvider } from './provider.ts';
import { sandbox } from './sandbox/provider.ts';

/** The adapters by the `provider` of their connections. */
export class ProviderRegistry {
  readonly #providers: ReadonlyMap<string, ChatProvider>;

  /** `emulation`: what stands in for projects and files where the upstream has none. */
  constructor(pools: Pools, emulation: Emulation) {
    this.#providers = new Map([sandbox(pools), openAiCompatible(pools, emulation)].map((provider) => [provider.traits.name, provider]));
  }

  has(name: string): boolean {
    return this.#providers.has(name);
  }

  /** The adapter of a provider. Throws VALIDATION_ERROR for one this build does not have. */
  get(name: string): ChatProvider {
    const provider = this.#providers.get(name);
    if (!provider)
      throw new GatewayError('VALIDATION_ERROR', `provider must be one of: ${[...this.#providers.keys()].join(', ')}`, {
        param: 'provider',
      });
    return provider;
  }
}
