import type { Call } from '@parley/kit/rpc/call';
import type { GetProviderRequest, Provider } from '@parley/protos/audio/v1/audio';
import type { Deps } from '../deps.ts';
import { toProvider } from './provider-view.ts';

/** Answers what a speech provider can do (spec §4.6). @throws AUDIO_PROVIDER_NOT_FOUND */
export async function getProvider({ providers }: Deps, { provider }: GetProviderRequest, call: Call): Promise<Provider> {
  const found = providers.named(provider);
  return toProvider(found, (await providers.defaultOf(call.caller, call.signal)) === found, call);
}
