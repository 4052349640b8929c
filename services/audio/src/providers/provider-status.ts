import { type Caller } from '@parley/kit/rpc/call';
import { toGatewayError } from '@parley/protos/errors';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { isUsableConnection } from '../domain/is-usable-connection.ts';
import { type ChatRoutingClient } from './speech-connection.ts';
import { type SpeechProvider } from './speech-provider.ts';

/** The availability of a provider to a workspace. */
export interface ProviderStatus {
  provider: SpeechProvider;
  /** Code of the reason why the workspace cannot use it now; undefined when it can. */
  reason: string | undefined;
  /** Whether requests without a provider use it: the first that the workspace can use. */
  isDefault: boolean;
}

/** Limit of the list; more than a workspace has. */
const MAX_CONNECTIONS = 1_000;

/**
 * Returns the availability of every provider to a workspace, with one call and without acquiring a connection: a half-open one is left to a
 * call that uses it. The provider of the workspace's default connection for speech comes first, the others in their order. Without
 * chat-routing only embedded providers are available.
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
  const listStatuses = all
    .map((provider) => ({ provider, reason: reasonAgainst(provider) }))
    .toSorted((a, b) => Number(preferred.has(b.provider.name)) - Number(preferred.has(a.provider.name)));
  const first = listStatuses.find(({ reason }) => reason === undefined);
  return listStatuses.map((one) => ({ ...one, isDefault: one === first }));
}

function missingConnection(connections: readonly Connection[]): string | undefined {
  if (connections.some(isUsableConnection)) return undefined;
  return connections.length === 0 ? 'no_connected_account' : 'account_disabled';
}
