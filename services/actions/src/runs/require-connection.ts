import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** Provider of the connections whose credentials steps may use. */
const API_PROVIDER = 'http-api';

/** The chat-routing RPC that lists the connections of a workspace. */
export type ConnectionLister = Pick<Stub<typeof ChatRoutingServiceService>, 'listConnections'>;

const PAGE = 1_000;
const DEADLINE_MS = 5_000;

/**
 * Checks that the connection `connectionId`, or with an empty id any connection of the workspace, is usable for API calls.
 * @throws ACTION_CONNECTION_REQUIRED
 */
export async function requireConnection(accounts: ConnectionLister, connectionId: string, call: Call): Promise<void> {
  const request = { provider: API_PROVIDER, status: '', limit: PAGE, offset: 0 };
  const { connections } = await accounts.listConnections(request, toDownstreamInit(call, DEADLINE_MS));
  const usable = connections.filter(({ status }) => status !== 'disabled');
  if (connectionId === '' ? usable.length > 0 : usable.some(({ id }) => id === connectionId)) return;
  const why =
    connectionId === ''
      ? `the action needs a connection of the kind ${API_PROVIDER}, and the workspace has none`
      : `the connection is none of the kind ${API_PROVIDER} that the workspace has`;
  throw new GatewayError('ACTION_CONNECTION_REQUIRED', why, { param: 'connection_id' });
}
