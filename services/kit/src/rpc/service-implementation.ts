import {
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type EventEmitter, once } from 'node:events';
import { type Readable } from 'node:stream';
import { type CallTracker } from './call-tracker.ts';
import { type Call, OpenCall } from './call.ts';
import { type Frame } from './frames.ts';
import { toGrpcStatus } from './grpc-status.ts';
import { parseGrpcMetadata } from './metadata.ts';
import {
  type Contract,
  type MultiplexedRequest,
  type MultiplexedResponse,
  type IfMultiplexed,
  isMultiplexed,
  type Method,
  type MethodRequest,
  type MethodResponse,
} from './method.ts';
import { type MultiplexedHandler } from './multiplexed-call.ts';
import { serveMux } from './mux-server.ts';
import { readRequests } from './read-requests.ts';

/**
 * The handlers of a service as plain functions: a promise for one response, an async iterable for a stream, a multiplexed handler for a
 * multiplexed method.
 */
export type Handlers<S extends Contract> = {
  [K in keyof S]: IfMultiplexed<
    S[K],
    MultiplexedHandler<MultiplexedRequest<S[K]>, MultiplexedResponse<S[K]>>,
    (
      request: S[K]['requestStream'] extends true ? AsyncIterable<MethodRequest<S[K]>> : MethodRequest<S[K]>,
      call: Call,
    ) => S[K]['responseStream'] extends true ? AsyncIterable<MethodResponse<S[K]>> : Promise<MethodResponse<S[K]>>
  >;
};

type AnyCall =
  | ServerUnaryCall<unknown, unknown>
  | ServerReadableStream<unknown, unknown>
  | ServerWritableStream<unknown, unknown>
  | ServerDuplexStream<unknown, unknown>;
type Writable = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>;

/** Converts plain handlers to the table of callbacks that `server.addService` accepts. */
export function toServiceImplementation<S extends Contract>(
  contract: S,
  handlers: Handlers<S>,
  tracker: CallTracker,
): UntypedServiceImplementation {
  const table = Object.entries(contract).map(([name, method]) => [name, adapt(name, method, handlers[name] as never, tracker)] as const);
  return Object.fromEntries(table);
}

function adapt(name: string, method: Method, handler: (request: unknown, call: Call) => unknown, tracker: CallTracker) {
  if (isMultiplexed(method)) {
    return (raw: ServerDuplexStream<Frame, Frame>) => {
      try {
        requireDeadline(raw);
      } catch (error) {
        return void raw.emit('error', toGrpcStatus(toGatewayError(error)));
      }
      serveMux(name, raw, handler as unknown as MultiplexedHandler<unknown, unknown>, tracker);
    };
  }
  if (method.responseStream) {
    const work = (raw: Writable) => (call: OpenCall) =>
      pump(handler(incoming(method, raw, call), call) as AsyncIterable<unknown>, raw, call);
    return (raw: Writable) =>
      void handle(name, raw, tracker, work(raw), (refusal) => refusal && !raw.cancelled && raw.emit('error', refusal));
  }
  return (raw: AnyCall, reply: sendUnaryData<unknown>) =>
    void handle(name, raw, tracker, async (call) => handler(incoming(method, raw, call), call), reply);
}

/** Runs the work of one call and replies with its response, or the gRPC status of its failure. */
async function handle<T>(
  name: string,
  raw: AnyCall,
  tracker: CallTracker,
  work: (call: OpenCall) => Promise<T>,
  reply: (refusal: Partial<ServiceError> | null, answer?: T) => void,
): Promise<void> {
  let call: OpenCall | undefined;
  let entered = false;
  try {
    tracker.beginCall();
    entered = true;
    call = open(raw);
    reply(null, await work(call));
  } catch (error) {
    reply(toGrpcStatus(tracker.toFailure(error, call, name)));
  } finally {
    call?.settle();
    if (entered) tracker.endCall();
  }
}

async function pump(answers: AsyncIterable<unknown>, raw: Writable, call: OpenCall): Promise<void> {
  for await (const item of answers) {
    if (call.abortReason) return;
    // A caller that has disconnected never drains the stream: the signal ends the wait.
    if (!raw.write(item)) await once(raw, 'drain', { signal: call.signal });
  }
  raw.end();
}

function incoming(method: Method, raw: AnyCall, call: OpenCall): unknown {
  return method.requestStream ? readRequests(raw as unknown as Readable, call) : (raw as ServerUnaryCall<unknown, unknown>).request;
}

/** Returns the deadline of a call in Unix milliseconds. Rejects a call without a deadline, which could hang forever. */
function requireDeadline(raw: AnyCall): number {
  const deadline = raw.getDeadline();
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  if (!Number.isFinite(at)) throw new GatewayError('VALIDATION_ERROR', 'a call needs a deadline', { param: 'grpc-timeout' });
  return at;
}

function open(raw: AnyCall): OpenCall {
  const { caller, traceparent } = parseGrpcMetadata(raw.metadata);
  const call = new OpenCall(caller, Math.max(1, Math.min(requireDeadline(raw) - Date.now(), 0x7fff_ffff)), traceparent);
  const cancel = () => call.abort(new GatewayError('CANCELLED', 'the caller cancelled'));
  if (raw.cancelled) cancel();
  else (raw as EventEmitter).once('cancelled', cancel);
  return call;
}
