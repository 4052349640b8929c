import { type Client, connectivityState } from '@grpc/grpc-js';

/** How long a connection attempt may take before calls on it are cancelled, in milliseconds; a refused connection fails them at once. */
const CONNECT_MS = 2_000;

/** Cancels a call if its connection is not ready within two seconds, well before the call's own deadline. */
export function cancelUnlessConnected(client: Client, call: { cancel(): void }): void {
  const channel = client.getChannel();
  const isReady = () => channel.getConnectivityState(false) === connectivityState.READY;
  if (isReady()) return;
  setTimeout(() => isReady() || call.cancel(), CONNECT_MS).unref();
}
