import { Server, ServerCredentials } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { type Logger } from 'pino';
import { pause } from '../lifecycle/pause.ts';
import { CallTracker } from './call-tracker.ts';
import { type ServiceAddress } from './client.ts';
import { withEndMarks } from './end-mark.ts';
import { InProcessService } from './in-process-service.ts';
import { SERVER_KEEP_ALIVE } from './keep-alive.ts';
import { type Contract } from './method.ts';
import { type Handlers, toServiceImplementation } from './service-implementation.ts';

/** A service that is being served: its address and how to stop it. */
export interface ServiceEndpoint {
  /** The address for `connect`. */
  address: ServiceAddress;
  /** Rejects new calls with SHUTTING_DOWN and waits for those in progress. */
  drain(): Promise<void>;
  /** Aborts calls in progress; their callers get SERVICE_UNAVAILABLE. */
  close(): Promise<void>;
}

/** Where a service listens: in this process only, or for gRPC at `host:port`, where port 0 chooses a free one. */
export type ListenAddress = 'in-process' | `${string}:${number}`;

const OPTIONS = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  ...SERVER_KEEP_ALIVE,
};

/**
 * How long a drained server still rejects calls before it closes, in milliseconds, so that its last responses arrive and callers learn that
 * it is shutting down.
 */
const LINGER_MS = 250;

/**
 * Serves the handlers of a contract, in process or over gRPC with the standard health service. Rejects when the address cannot be bound.
 */
export async function serve<S extends Contract>(
  contract: S,
  handlers: Handlers<S>,
  listen: ListenAddress,
  log: Logger,
): Promise<ServiceEndpoint> {
  const tracker = new CallTracker(contract, (error, method, call) =>
    log.error({ err: error.cause ?? error, method, requestId: call?.caller.requestId }, 'handler failed'),
  );
  if (listen === 'in-process') {
    const address = new InProcessService(handlers, tracker);
    return { address, drain: () => tracker.drain(), close: async () => address.close() };
  }
  const server = new Server(OPTIONS);
  server.addService(withEndMarks(contract), toServiceImplementation(contract, handlers, tracker));
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(listen, ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return {
    address: `${listen.slice(0, listen.lastIndexOf(':'))}:${port}`,
    drain: async () => {
      health.setStatus('', 'NOT_SERVING');
      await tracker.drain();
      await pause(LINGER_MS);
    },
    close: async () => {
      tracker.close();
      server.forceShutdown();
    },
  };
}
