import { type GatewayError } from '@parley/protos/errors';
import { type Call, type CallInit } from './call.ts';

/** Where the handler of a multiplexed call writes its responses. */
export interface ServerStream<Res> {
  /**
   * Sends one response. `weight` is its share of the reader's window, about its size in bytes.
   * False means that the window is used up: stop producing until `onDrain`.
   */
  write(message: Res, weight: number): boolean;
  /** Ends the call, with an optional last response; `weight` is its size in bytes where it may be large. */
  end(last?: Res, weight?: number): void;
  /** Ends the call with an error. */
  fail(error: unknown): void;
  /** Called when the window is open again. */
  onDrain: (() => void) | null;
  /** Called once when the caller cancels or its deadline passes. Responses are ignored from then on. */
  onCancel: ((reason: GatewayError) => void) | null;
}

/** Handles one multiplexed call; a promise that rejects fails the call. */
export type MultiplexedHandler<Req, Res> = (request: Req, stream: ServerStream<Res>, call: Call) => void | Promise<void>;

/** Receives the responses of a multiplexed call: any number of messages, then `end` or `fail`, once. */
export interface StreamObserver<Res> {
  message(message: Res): void;
  end(): void;
  fail(error: GatewayError): void;
}

/** The client's handle of a multiplexed call in progress. */
export interface MultiplexedCall {
  /** Cancels the call on the server; the observer receives nothing more. */
  cancel(): void;
  /** Delivers nothing until `resume`; the server stops when its window is used up. */
  pause(): void;
  resume(): void;
}

/** Options of a multiplexed call. */
export interface MultiplexedInit extends CallInit {
  /** The request's size in bytes where it may be large. */
  weight?: number;
  /** Further fields of the request, already encoded; only over gRPC. */
  rest?: EncodedFields | undefined;
}

/** Encoded fields of a message. */
export interface EncodedFields {
  bytes: Uint8Array;
  /** Free bytes before them in the same buffer: the fields before are written there, and nothing large is copied. */
  room: number;
}

/** Opens a multiplexed call. */
export type OpenMultiplexedCall<Req, Res> = (request: Req, observer: StreamObserver<Res>, init: MultiplexedInit) => MultiplexedCall;

/** Bytes a server may send before the reader has read any. Bounds what is buffered for a slow reader. */
export const WINDOW_BYTES = 128 * 1024;

/** Makes a multiplexed handler of a function with one response; `weigh` returns the response's size in bytes where it may be large. */
export function toMultiplexedHandler<Req, Res>(
  handler: (request: Req, call: Call) => Promise<Res>,
  weigh: (response: Res) => number = () => 0,
): MultiplexedHandler<Req, Res> {
  return async (request, stream, call) => {
    const response = await handler(request, call);
    stream.end(response, weigh(response));
  };
}

/** Calls a multiplexed method that has one response. Rejects with the call's error. */
export function callMultiplexed<Req, Res>(open: OpenMultiplexedCall<Req, Res>, request: Req, init: MultiplexedInit): Promise<Res> {
  return new Promise((resolve, reject) => {
    let response: Res | undefined;
    open(request, { message: (message) => (response = message), end: () => resolve(response as Res), fail: reject }, init);
  });
}
