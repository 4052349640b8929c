import { type ServiceAddress, connect, type Stub } from '../rpc/client.ts';
import { type Contract } from '../rpc/method.ts';

/** A service with a connection to it. */
export interface Replica<Server, S extends Contract> {
  server: Server;
  stub: Stub<S>;
  /** Stops both, once. */
  stop(): Promise<void>;
}

/** Connects to a running service; `afterwards` runs when it has stopped. */
export function connectReplica<Server extends AsyncDisposable & { address: ServiceAddress }, S extends Contract>(
  contract: S,
  server: Server,
  afterwards: () => Promise<void>,
): Replica<Server, S> {
  const stub = connect(contract, server.address);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stub.close();
    await server[Symbol.asyncDispose]();
    await afterwards();
  };
  return { server, stub, stop: () => (stopped ??= stop()) };
}
