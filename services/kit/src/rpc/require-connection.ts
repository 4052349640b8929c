import { type Client, connectivityState } from '@grpc/grpc-js';

/** How long a connection may take to come about before calls on it fail; a refused one fails them at once. */
const CONNECT_MS = 2_000;

/** Ends a call whose service does not even answer the connect, long before the call's own deadline. */
export function requireConnection(client: Client, call: { cancel(): void }): void {
  const channel = client.getChannel();
  const isReady = () => channel.getConnectivityState(false) === connectivityState.READY;
  if (isReady()) return;
  setTimeout(() => isReady() || call.cancel(), CONNECT_MS).unref();
}
