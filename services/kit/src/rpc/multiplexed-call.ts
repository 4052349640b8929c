import { type GatewayError } from '@parley/protos/errors';
import { type Call, type CallInit } from './call.ts';

/** The stream to which the handler of a multiplexed call writes its responses. */
export interface ServerStream<Res> {
  /**
   * Sends one response. `weight` is about its size in bytes and uses that much of the reader's window. Returns false when the window is
   * used up: stop producing until `onDrain`.
   */
  write(message: Res, weight: number): boolean;
  /** Ends the call, with an optional last response; `weight` is its size in bytes if it may be large. */
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
  /** Delivers nothing until `resume`; the server stops sending when its window is used up. */
  pause(): void;
  resume(): void;
}

/** Options of a multiplexed call. */
export interface MultiplexedInit extends CallInit {
  /** The request's size in bytes if it may be large. @default 0 */
  weight?: number;
  /** Further fields of the request, already encoded; only over gRPC. */
  rest?: EncodedFields | undefined;
}

/** Encoded fields of a message, to be appended to it. */
export interface EncodedFields {
  bytes: Uint8Array;
  /** Number of free bytes before `bytes` in the same buffer: the preceding fields are written there, so that nothing large is copied. */
  headroomBytes: number;
}

/** Opens a multiplexed call and returns its handle; the observer receives the responses. */
export type OpenMultiplexedCall<Req, Res> = (request: Req, observer: StreamObserver<Res>, init: MultiplexedInit) => MultiplexedCall;

/** Bytes a server may send before the reader has read any. Bounds what is buffered for a slow reader. */
export const WINDOW_BYTES = 128 * 1024;

/** Turns a function with one response into a multiplexed handler; `weigh` returns the response's size in bytes if it may be large. */
export function toMultiplexedHandler<Req, Res>(
  handler: (request: Req, call: Call) => Promise<Res>,
  weigh: (response: Res) => number = () => 0,
): MultiplexedHandler<Req, Res> {
  return async (request, stream, call) => {
    const response = await handler(request, call);
    stream.end(response, weigh(response));
  };
}

/** Calls a multiplexed method that has one response and resolves with it. Rejects with the call's error. */
export function callMultiplexed<Req, Res>(open: OpenMultiplexedCall<Req, Res>, request: Req, init: MultiplexedInit): Promise<Res> {
  return new Promise((resolve, reject) => {
    let response: Res | undefined;
    open(request, { message: (message) => (response = message), end: () => resolve(response as Res), fail: reject }, init);
  });
}
