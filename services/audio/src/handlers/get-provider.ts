import { type Call } from '@parley/kit/rpc/call';
import { type GetProviderRequest, type Provider } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { toProvider } from './provider-view.ts';

/** Returns a speech provider with its abilities. @throws AUDIO_PROVIDER_NOT_FOUND */
export async function getProvider({ providers }: Deps, { provider }: GetProviderRequest, call: Call): Promise<Provider> {
  return toProvider(await providers.getStatus(provider, call.caller, call.signal), call);
}
