import { type CallInit } from './call.ts';
import { ChannelPool, type ChannelPoolOptions } from './channel-pool.ts';
import { iterateOverGrpc, callOverGrpc, getDeadlineMs } from './grpc-calls.ts';
import { openMultiplexedInProcess } from './in-process-multiplexed-call.ts';
import { callInProcess, InProcessService, iterateInProcess } from './in-process-service.ts';
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
import { type OpenMultiplexedCall } from './multiplexed-call.ts';
import { ReroutedCall } from './rerouted-call.ts';

/**
 * The address of a service: `host:port` or `dns:///name:port` for gRPC, several of these separated by commas, or the service itself when it
 * runs in this process. Calls are spread over all targets of a list or a name.
 */
export type ServiceAddress = string | InProcessService;

type Input<M extends Method> = M['requestStream'] extends true ? AsyncIterable<MethodRequest<M>> : MethodRequest<M>;

/**
 * A client of a service as plain functions: a promise for one response, an async iterable for a stream, a multiplexed call for a
 * multiplexed method.
 */
export type Stub<S extends Contract> = {
  [K in keyof S]: IfMultiplexed<
    S[K],
    OpenMultiplexedCall<MultiplexedRequest<S[K]>, MultiplexedResponse<S[K]>>,
    (
      request: Input<S[K]>,
      init: CallInit,
    ) => S[K]['responseStream'] extends true ? AsyncIterable<MethodResponse<S[K]>> : Promise<MethodResponse<S[K]>>
  >;
} & { close(): void };

/** Options of `connect`; they apply to gRPC only. */
export type ConnectOptions = ChannelPoolOptions;

/** Returns a client of a service. Every call has a deadline, and every failure is a GatewayError, over gRPC and in process. */
export function connect<S extends Contract>(contract: S, address: ServiceAddress, options: ConnectOptions = {}): Stub<S> {
  return (address instanceof InProcessService ? stubInProcess(contract, address) : stubOverGrpc(contract, address, options)) as Stub<S>;
}

function stubInProcess(contract: Contract, target: InProcessService): Record<string, unknown> {
  const stub: Record<string, unknown> = { close: () => undefined };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) {
      stub[name] = ((request, observer, init) =>
        openMultiplexedInProcess(target, name, request, observer, init, getDeadlineMs(init))) satisfies OpenMultiplexedCall<
        unknown,
        unknown
      >;
    } else if (method.responseStream) {
      stub[name] = (request: unknown, init: CallInit) => iterateInProcess(target, name, request, init, getDeadlineMs(init));
    } else {
      stub[name] = (request: unknown, init: CallInit) => callInProcess(target, name, request, init, getDeadlineMs(init));
    }
  }
  return stub;
}

function stubOverGrpc(contract: Contract, address: string, options: ConnectOptions): Record<string, unknown> {
  const pool = new ChannelPool(address, options);
  const stub: Record<string, unknown> = { close: () => pool.close() };
  for (const [name, method] of Object.entries(contract)) {
    if (isMultiplexed(method)) stub[name] = openOverGrpc(pool, method);
    else if (method.responseStream) stub[name] = (request: unknown, init: CallInit) => iterateOverGrpc(pool, method, request, init);
    else stub[name] = (request: unknown, init: CallInit) => callOverGrpc(pool, method, request, init);
  }
  return stub;
}

function openOverGrpc(pool: ChannelPool, method: Method): OpenMultiplexedCall<unknown, unknown> {
  return (request, observer, init) => {
    const deadlineMs = getDeadlineMs(init);
    if (pool.hasSeveralTargets) return new ReroutedCall(pool, { method, request, observer, init, deadlineMs });
    return pool.pick(init.affinity).getMuxClient(method).open(request, observer, init, deadlineMs);
  };
}
