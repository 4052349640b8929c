import { type CallOptions, Client, type ClientOptions, credentials, type Metadata } from '@grpc/grpc-js';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type CallInit } from './call.ts';
import { exchangeInProcess } from './direct-exchange.ts';
import { type OpenExchange } from './exchange.ts';
import { feed, type Sink } from './feed.ts';
import { callInProcess, InProcess, iterateInProcess } from './in-process.ts';
import { writeMetadata } from './metadata.ts';
import {
  type Contract,
  type ExchangeRequest,
  type ExchangeResponse,
  type IfExchange,
  isMultiplexed,
  type Method,
  type Request,
  type Response,
} from './method.ts';
import { MuxClient } from './mux-client.ts';
import { requireConnection } from './require-connection.ts';
import { fromStatus, unavailable } from './status.ts';

/** Where a service is: `host:port` or `dns:///name:port` for gRPC, or the service itself when it runs in this process. */
export type Address = string | InProcess;

type Input<M extends Method> = M['requestStream'] extends true ? AsyncIterable<Request<M>> : Request<M>;

/** A service as plain functions: promises for one answer, async iterables for many, exchanges for multiplexed methods. */
export type Stub<S extends Contract> = {
  [K in keyof S]: IfExchange<
    S[K],
    OpenExchange<ExchangeRequest<S[K]>, ExchangeResponse<S[K]>>,
    (request: Input<S[K]>, init: CallInit) => S[K]['responseStream'] extends true ? AsyncIterable<Response<S[K]>> : Promise<Response<S[K]>>
  >;
} & { close(): void };

/** How long a call may take when the caller does not say. */
export const DEFAULT_DEADLINE_MS = 5_000;

/** How a connection behaves. */
export interface ConnectOptions {
  /** After how long the stream of a multiplexed method is replaced, in milliseconds. @default 1_800_000 */
  streamLifeMs?: number;
}

const OPTIONS: ClientOptions = {
  'grpc.max_receive_message_length': 64 * 1024 * 1024,
  'grpc.max_send_message_length': 64 * 1024 * 1024,
  'grpc-node.flow_control_window': 8 * 1024 * 1024,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

/** Connects to a service. Every call has a deadline; every failure is a GatewayError, whichever way the call travels. */
export function connect<S extends Contract>(contract: S, address: Address, options: ConnectOptions = {}): Stub<S> {
  return (address instanceof InProcess ? stubInProcess(contract, address) : stubOverGrpc(contract, address, options)) as Stub<S>;
}

function stubInProcess(contract: Contract, target: InProcess): Record<string, unknown> {
  const stub: Record<string, unknown> = { close: () => undefined };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) {
      stub[name] = ((request, inlet, init) =>
        exchangeInProcess(target, name, request, inlet, init, deadlineOf(init))) satisfies OpenExchange<unknown, unknown>;
    } else if (method.responseStream) {
      stub[name] = (request: unknown, init: CallInit) => iterateInProcess(target, name, request, init, deadlineOf(init));
    } else {
      stub[name] = (request: unknown, init: CallInit) => callInProcess(target, name, request, init, deadlineOf(init));
    }
  }
  return stub;
}

function stubOverGrpc(contract: Contract, address: string, { streamLifeMs = 30 * 60_000 }: ConnectOptions): Record<string, unknown> {
  const client = new Client(address, credentials.createInsecure(), OPTIONS);
  const muxes: MuxClient[] = [];
  const stub: Record<string, unknown> = {
    close: () => {
      for (const mux of muxes) mux.close();
      client.close();
    },
  };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) {
      const mux = new MuxClient(client, method, streamLifeMs);
      muxes.push(mux);
      stub[name] = ((request, inlet, init) => mux.open(request, inlet, init, deadlineOf(init))) satisfies OpenExchange<unknown, unknown>;
    } else if (method.responseStream) {
      stub[name] = (request: unknown, init: CallInit) => many(client, method, request, init);
    } else {
      stub[name] = (request: unknown, init: CallInit) => one(client, method, request, init);
    }
  }
  return stub;
}

function one(client: Client, m: Method, request: unknown, init: CallInit): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { metadata, options } = open(init);
    let broke: { cause: unknown } | undefined;
    const settle = (error: unknown, response: unknown) => {
      release();
      if (broke) reject(toGatewayError(broke.cause));
      else if (error) reject(failure(error, init.signal));
      else resolve(response);
    };
    const call = m.requestStream
      ? client.makeClientStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, metadata, options, settle)
      : client.makeUnaryRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options, settle);
    const release = cancelOn(init.signal, call);
    requireConnection(client, call);
    if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as unknown as Sink, (cause) => (broke = { cause }));
  });
}

async function* many(client: Client, m: Method, request: unknown, init: CallInit): AsyncGenerator<unknown> {
  const { metadata, options } = open(init);
  const call = m.requestStream
    ? client.makeBidiStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, metadata, options)
    : client.makeServerStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options);
  // The end of a call that is cancelled below is told after the iterator has stopped listening.
  call.on('error', () => undefined);
  const release = cancelOn(init.signal, call);
  requireConnection(client, call);
  let broke: { cause: unknown } | undefined;
  if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as unknown as Sink, (cause) => (broke = { cause }));
  try {
    yield* call as AsyncIterable<unknown>;
  } catch (error) {
    throw broke ? toGatewayError(broke.cause) : failure(error, init.signal);
  } finally {
    release();
    call.cancel(); // a consumer that stops reading must stop the producer
  }
}

/** A call that was cancelled by nobody here was cut off. */
function failure(error: unknown, signal: AbortSignal | undefined): GatewayError {
  const told = fromStatus(error);
  return told.condition === 'CANCELLED' && told.cause && !signal?.aborted ? unavailable(error) : told;
}

function deadlineOf(init: CallInit): number {
  return Math.max(1, Math.min(init.deadlineMs ?? DEFAULT_DEADLINE_MS, 0x7fff_ffff));
}

function open(init: CallInit): { metadata: Metadata; options: CallOptions } {
  return { metadata: writeMetadata(init.caller, init.traceparent), options: { deadline: Date.now() + deadlineOf(init) } };
}

function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  if (!signal) return () => undefined;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
