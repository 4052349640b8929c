import { type GatewayError } from '@parley/protos/errors';
import { type Call, type CallInit } from './call.ts';

/** Where the handler of an exchange puts its responses. */
export interface ServerStream<Res> {
  /**
   * Sends one response. `weight` is what it costs of the reader's window, about its size in bytes.
   * False means that the window is used up: stop producing until `onDrain`.
   */
  write(message: Res, weight: number): boolean;
  /** Ends the exchange, with a last response if there is one; `weight` is its size in bytes where it may be large. */
  end(last?: Res, weight?: number): void;
  /** Ends the exchange with an error. */
  fail(error: unknown): void;
  /** Called when the reader has room again. */
  onDrain: (() => void) | null;
  /** Called once when the reader gave up or its deadline passed. Responses are ignored from then on. */
  onCancel: ((reason: GatewayError) => void) | null;
}

/** Answers one exchange; a promise that rejects fails it. */
export type MultiplexedHandler<Req, Res> = (request: Req, outlet: ServerStream<Res>, call: Call) => void | Promise<void>;

/** Where the client of an exchange takes its responses: any number of messages, then `end` or `fail`, once. */
export interface StreamObserver<Res> {
  message(message: Res): void;
  end(): void;
  fail(error: GatewayError): void;
}

/** The client's hold on an exchange that is under way. */
export interface MultiplexedCall {
  /** Gives up: the server is told, the inlet hears nothing more. */
  cancel(): void;
  /** Stops the server once its window is used up. */
  pause(): void;
  resume(): void;
}

/** What opens an exchange, besides its request. */
export interface MultiplexedInit extends CallInit {
  /** The request's size in bytes where it may be large. */
  weight?: number;
  /** What the request goes on with; a service in this process takes no such thing. */
  rest?: EncodedFields | undefined;
}

/** Fields of a message as they are on the wire. */
export interface EncodedFields {
  bytes: Uint8Array;
  /** Bytes before them in the same buffer that are free: what goes before is written there, and nothing large is copied. */
  room: number;
}

/** Opens an exchange. */
export type OpenMultiplexedCall<Req, Res> = (request: Req, inlet: StreamObserver<Res>, init: MultiplexedInit) => MultiplexedCall;

/** Bytes a server may send before the reader has taken any. Bounds what one slow reader can pile up. */
export const WINDOW = 128 * 1024;

/** An exchange handler from a plain function with one answer; `weigh` tells an answer's size in bytes where it may be large. */
export function answer<Req, Res>(
  handler: (request: Req, call: Call) => Promise<Res>,
  weigh: (response: Res) => number = () => 0,
): MultiplexedHandler<Req, Res> {
  return async (request, outlet, call) => {
    const response = await handler(request, call);
    outlet.end(response, weigh(response));
  };
}

/** Asks a question over a multiplexed method and waits for its one answer. Rejects with the exchange's error. */
export function ask<Req, Res>(open: OpenMultiplexedCall<Req, Res>, request: Req, init: MultiplexedInit): Promise<Res> {
  return new Promise((resolve, reject) => {
    let answer: Res | undefined;
    open(request, { message: (message) => (answer = message), end: () => resolve(answer as Res), fail: reject }, init);
  });
}
