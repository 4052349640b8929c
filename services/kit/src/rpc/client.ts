import { type CallOptions, Client, type ClientOptions, credentials, type Metadata } from '@grpc/grpc-js';
import { type CallInit } from './call.ts';
import { type OpenExchange } from './exchange.ts';
import { callInProcess, exchangeInProcess, InProcess, iterateInProcess } from './in-process.ts';
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
import { fromStatus } from './status.ts';

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
export function connect<S extends Contract>(contract: S, address: Address): Stub<S> {
  return (address instanceof InProcess ? stubInProcess(contract, address) : stubOverGrpc(contract, address)) as Stub<S>;
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
      stub[name] = async (request: unknown, init: CallInit) => callInProcess(target, name, request, init, deadlineOf(init));
    }
  }
  return stub;
}

function stubOverGrpc(contract: Contract, address: string): Record<string, unknown> {
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
      const mux = new MuxClient(client, method);
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
    const settle = (error: unknown, response: unknown) => {
      release();
      if (error) reject(fromStatus(error));
      else resolve(response);
    };
    const call = m.requestStream
      ? client.makeClientStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, metadata, options, settle)
      : client.makeUnaryRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options, settle);
    const release = cancelOn(init.signal, call);
    if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as never);
  });
}

async function* many(client: Client, m: Method, request: unknown, init: CallInit): AsyncGenerator<unknown> {
  const { metadata, options } = open(init);
  const call = m.requestStream
    ? client.makeBidiStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, metadata, options)
    : client.makeServerStreamRequest(m.path, m.requestSerialize, m.responseDeserialize, request, metadata, options);
  const release = cancelOn(init.signal, call);
  if (m.requestStream) void feed(request as AsyncIterable<unknown>, call as never);
  try {
    yield* call as AsyncIterable<unknown>;
  } catch (error) {
    throw fromStatus(error);
  } finally {
    release();
    call.cancel(); // a consumer that stops reading must stop the producer
  }
}

interface Sink {
  write(value: unknown): boolean;
  end(): void;
  cancel(): void;
  once(event: 'drain' | 'close', listener: () => void): unknown;
}

async function feed(values: AsyncIterable<unknown>, call: Sink): Promise<void> {
  try {
    for await (const value of values) {
      if (!call.write(value)) await writable(call);
    }
    call.end();
  } catch {
    call.cancel();
  }
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

function writable(call: Sink): Promise<void> {
  return new Promise((resolve) => {
    call.once('drain', resolve);
    call.once('close', resolve);
  });
}
