import { type Call } from '@parley/kit/rpc/call';
import { type ListProvidersRequest, type ListProvidersResponse } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { toProvider } from './provider-view.ts';

/** Returns every speech provider, in order of preference for the caller's workspace. */
export async function listProviders({ providers }: Deps, _request: ListProvidersRequest, call: Call): Promise<ListProvidersResponse> {
  const standings = await providers.listStatuses(call.caller, call.signal);
  return { providers: await Promise.all(standings.map((one) => toProvider(one, call))) };
}
