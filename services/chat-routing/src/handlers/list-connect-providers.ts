import { type ListConnectProvidersResponse } from '@parley/protos/routing/v1/connect_flow';
import { type Deps } from '../deps.ts';

/** RPC ListConnectProviders: lists the providers that connect flows support, with name, title and purpose. */
export function listConnectProviders({ providers }: Deps): Promise<ListConnectProvidersResponse> {
  const listed = providers.traits().map(({ name, purpose }) => ({ provider: name, title: providers.getFlow(name).title, purpose }));
  return Promise.resolve({ providers: listed });
}
