import { type EventEmitter, once } from 'node:events';
import { type Readable } from 'node:stream';
import {
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Call, OpenCall } from './call.ts';
import { type ExchangeHandler } from './exchange.ts';
import { type Frame } from './frames.ts';
import { type Gate } from './gate.ts';
import { readMetadata } from './metadata.ts';
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
import { serveMux } from './mux-server.ts';
import { toStatus } from './status.ts';

/** A service written as plain functions: promises for one answer, async iterables for many, exchange handlers for multiplexed methods. */
export type Handlers<S extends Contract> = {
  [K in keyof S]: IfExchange<
    S[K],
    ExchangeHandler<ExchangeRequest<S[K]>, ExchangeResponse<S[K]>>,
    (
      request: S[K]['requestStream'] extends true ? AsyncIterable<Request<S[K]>> : Request<S[K]>,
      call: Call,
    ) => S[K]['responseStream'] extends true ? AsyncIterable<Response<S[K]>> : Promise<Response<S[K]>>
  >;
};

type AnyCall =
  | ServerUnaryCall<unknown, unknown>
  | ServerReadableStream<unknown, unknown>
  | ServerWritableStream<unknown, unknown>
  | ServerDuplexStream<unknown, unknown>;
type Writable = ServerWritableStream<unknown, unknown> | ServerDuplexStream<unknown, unknown>;

/** Turns plain handlers into the callback table `server.addService` wants. */
export function implement<S extends Contract>(contract: S, handlers: Handlers<S>, gate: Gate): UntypedServiceImplementation {
  const table = Object.entries(contract).map(([name, method]) => [name, adapt(name, method, handlers[name] as never, gate)] as const);
  return Object.fromEntries(table) as UntypedServiceImplementation;
}

function adapt(name: string, method: Method, handler: (request: unknown, call: Call) => unknown, gate: Gate) {
  if (isMultiplexed(method)) {
    return (raw: ServerDuplexStream<Frame, Frame>) => serveMux(raw, handler as unknown as ExchangeHandler<unknown, unknown>, gate);
  }
  if (method.responseStream) {
    return (raw: Writable) => void pump(name, () => handler(incoming(method, raw), open(raw)) as AsyncIterable<unknown>, raw, gate);
  }
  return async (raw: AnyCall, reply: sendUnaryData<unknown>) => {
    let entered = false;
    const call = open(raw);
    try {
      gate.enter();
      entered = true;
      reply(null, await handler(incoming(method, raw), call));
    } catch (error) {
      reply(refusal(name, error, gate));
    } finally {
      call.settle();
      if (entered) gate.leave();
    }
  };
}

async function pump(name: string, answers: () => AsyncIterable<unknown>, raw: Writable, gate: Gate): Promise<void> {
  let entered = false;
  try {
    gate.enter();
    entered = true;
    for await (const item of answers()) {
      if (raw.cancelled) return;
      if (!raw.write(item)) await once(raw, 'drain');
    }
    raw.end();
  } catch (error) {
    if (!raw.cancelled) raw.emit('error', refusal(name, error, gate));
  } finally {
    if (entered) gate.leave();
  }
}

function refusal(name: string, thrown: unknown, gate: Gate) {
  const error = toGatewayError(thrown);
  if (error.condition === 'INTERNAL_ERROR') gate.report(error, name);
  return toStatus(error);
}

/** A plain `for await` over a duplex destroys it at the end of input, and the reply with it. */
function incoming(method: Method, raw: AnyCall): unknown {
  if (!method.requestStream) return (raw as ServerUnaryCall<unknown, unknown>).request;
  return (raw as unknown as Readable).iterator({ destroyOnReturn: false });
}

function open(raw: AnyCall): OpenCall {
  const { caller, traceparent } = readMetadata(raw.metadata);
  const deadline = raw.getDeadline();
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  const call = new OpenCall(caller, Math.max(1, Math.min(at - Date.now(), 0x7fff_ffff)), traceparent);
  (raw as EventEmitter).once('cancelled', () => call.abort(new GatewayError('CANCELLED', 'the caller gave up')));
  return call;
}
