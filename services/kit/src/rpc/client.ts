import { type CallInit } from './call.ts';
import { callMany, callOne, deadlineOf } from './calls.ts';
import { Channels, type ChannelsOptions } from './channels.ts';
import { multiplexInProcess } from './direct-call.ts';
import { type OpenMultiplexedCall } from './multiplexed-call.ts';
import { callInProcess, InProcess, iterateInProcess } from './in-process.ts';
import {
  type Contract,
  type MultiplexedRequest,
  type MultiplexedResponse,
  type IfMultiplexed,
  isMultiplexed,
  type Method,
  type Request,
  type Response,
} from './method.ts';
import { ReroutedCall } from './rerouted-call.ts';

/**
 * Where a service is: `host:port` or `dns:///name:port` for gRPC, several of these separated by commas, or the service itself when it runs
 * in this process. Calls are spread over every address that a list or a name stands for.
 */
export type Address = string | InProcess;

type Input<M extends Method> = M['requestStream'] extends true ? AsyncIterable<Request<M>> : Request<M>;

/** A service as plain functions: promises for one answer, async iterables for many, exchanges for multiplexed methods. */
export type Stub<S extends Contract> = {
  [K in keyof S]: IfMultiplexed<
    S[K],
    OpenMultiplexedCall<MultiplexedRequest<S[K]>, MultiplexedResponse<S[K]>>,
    (request: Input<S[K]>, init: CallInit) => S[K]['responseStream'] extends true ? AsyncIterable<Response<S[K]>> : Promise<Response<S[K]>>
  >;
} & { close(): void };

/** How a connection behaves. */
export type ConnectOptions = ChannelsOptions;

/** Connects to a service. Every call has a deadline; every failure is a GatewayError, whichever way the call travels. */
export function connect<S extends Contract>(contract: S, address: Address, options: ConnectOptions = {}): Stub<S> {
  return (address instanceof InProcess ? stubInProcess(contract, address) : stubOverGrpc(contract, address, options)) as Stub<S>;
}

function stubInProcess(contract: Contract, target: InProcess): Record<string, unknown> {
  const stub: Record<string, unknown> = { close: () => undefined };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) {
      stub[name] = ((request, inlet, init) =>
        multiplexInProcess(target, name, request, inlet, init, deadlineOf(init))) satisfies OpenMultiplexedCall<unknown, unknown>;
    } else if (method.responseStream) {
      stub[name] = (request: unknown, init: CallInit) => iterateInProcess(target, name, request, init, deadlineOf(init));
    } else {
      stub[name] = (request: unknown, init: CallInit) => callInProcess(target, name, request, init, deadlineOf(init));
    }
  }
  return stub;
}

function stubOverGrpc(contract: Contract, address: string, options: ConnectOptions): Record<string, unknown> {
  const channels = new Channels(address, options);
  const stub: Record<string, unknown> = { close: () => channels.close() };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) stub[name] = exchangeOver(channels, method);
    else if (method.responseStream) stub[name] = (request: unknown, init: CallInit) => callMany(channels, method, request, init);
    else stub[name] = (request: unknown, init: CallInit) => callOne(channels, method, request, init);
  }
  return stub;
}

function exchangeOver(channels: Channels, method: Method): OpenMultiplexedCall<unknown, unknown> {
  return (request, inlet, init) => {
    const deadlineMs = deadlineOf(init);
    if (channels.isPlural) return new ReroutedCall(channels, { method, request, inlet, init, deadlineMs });
    return channels.pick(init.affinity).mux(method).open(request, inlet, init, deadlineMs);
  };
}
