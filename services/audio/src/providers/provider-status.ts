import { type Caller } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { isConnected } from '../domain/is-connected.ts';
import { type SpeechProvider } from './provider.ts';
import { type ChatRoutingClient } from './speech-connection.ts';

/** How the caller's workspace stands with a provider. */
export interface ProviderStatus {
  provider: SpeechProvider;
  /** Why the workspace cannot use it now; undefined: it can. */
  reason: string | undefined;
  /** The one for requests that name no provider: the first that the workspace can use. */
  isDefault: boolean;
}

/** More connections than a workspace has. */
const MAX_CONNECTIONS = 1_000;

/**
 * How a workspace stands with every provider, in one call and without acquiring a connection: one that is half open goes to a call that uses it. The
 * provider of the workspace's default connection for speech comes first, the others in their order. Without chat-routing the embedded ones still speak.
 */
export async function listProviderStatuses(
  all: readonly SpeechProvider[],
  routing: ChatRoutingClient,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly ProviderStatus[]> {
  const filter = { provider: '', status: '', limit: MAX_CONNECTIONS, offset: 0 };
  const listed = await routing.listConnections(filter, { caller, signal }).catch(toGatewayError);
  const reasonAgainst = ({ kind, name }: SpeechProvider) => {
    if (kind === 'embedded') return undefined;
    return 'connections' in listed ? missingConnection(listed.connections.filter(({ provider }) => provider === name)) : listed.code;
  };
  const preferred = new Set('connections' in listed ? listed.connections.flatMap((one) => (one.isDefault ? [one.provider] : [])) : []);
  const standings = all
    .map((provider) => ({ provider, reason: reasonAgainst(provider) }))
    .toSorted((a, b) => Number(preferred.has(b.provider.name)) - Number(preferred.has(a.provider.name)));
  const first = standings.find(({ reason }) => reason === undefined);
  return standings.map((one) => ({ ...one, isDefault: one === first }));
}

function missingConnection(connections: readonly Connection[]): string | undefined {
  if (connections.some(isConnected)) return undefined;
  return connections.length === 0 ? 'no_connected_account' : 'account_disabled';
}
