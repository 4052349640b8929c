import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { Error as WireError } from '@parley/protos/common/v1/error';
import { GatewayError, isErrorCondition, toGatewayError } from '@parley/protos/errors';

const TRAILER = 'parley-error-bin';

/** Longest message in a trailer, in characters: the size of trailers is limited. No message of the gateway is that long. */
const MAX_MESSAGE = 1_000;

/** Converts an error to the message in a frame or a trailer. */
export function toWireError({ condition, message, param, retryAfterMs }: GatewayError): WireError {
  return { condition, message: message.slice(0, MAX_MESSAGE), param: param?.slice(0, MAX_MESSAGE), retryAfterMs: wholeMs(retryAfterMs) };
}

/** Returns the error as a remote caller would receive it: without its cause. */
export function toReceivedError(error: GatewayError): GatewayError {
  return fromWireError(toWireError(error));
}

/** Rounds up to a whole uint32, as the wire format requires; any other value would break the stream. */
function wholeMs(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.min(Math.max(Math.ceil(ms), 0), 0xffff_ffff);
}

/** Converts a wire message to an error; a condition that this build does not know becomes INTERNAL_ERROR. */
export function fromWireError(wire: WireError): GatewayError {
  const condition = isErrorCondition(wire.condition) ? wire.condition : 'INTERNAL_ERROR';
  return new GatewayError(condition, wire.message, { param: wire.param, retryAfterMs: wire.retryAfterMs });
}

/** Converts an error to a gRPC status: the catalogue's code, and the whole error in one binary trailer. */
export function toGrpcStatus(error: GatewayError): Partial<ServiceError> {
  const metadata = new Metadata();
  const wire = toWireError(error);
  metadata.set(TRAILER, Buffer.from(WireError.encode(wire).finish()));
  return { code: error.row.grpc, details: wire.message, metadata };
}

/** Converts the error of a failed gRPC call to a GatewayError: the one in the trailer, else the meaning of the transport's status. */
export function fromGrpcStatus(error: unknown): GatewayError {
  if (!isServiceError(error)) return toGatewayError(error);
  const [bytes] = error.metadata?.get(TRAILER) ?? [];
  if (bytes instanceof Uint8Array) return fromWireError(WireError.decode(bytes));
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
      return new GatewayError('TIMEOUT', 'an internal service did not answer in time', { cause: error });
    case status.CANCELLED:
      return new GatewayError('CANCELLED', 'the call was cancelled', { cause: error });
    case status.UNIMPLEMENTED:
      return new GatewayError('NOT_IMPLEMENTED', 'the service does not offer this', { cause: error });
    case status.UNAVAILABLE:
      return toLostCallError(error);
    default:
      // grpc-js reports some broken connections as INTERNAL, with the HTTP/2 reset only in the details.
      if (error.details.startsWith('Received RST_STREAM')) return toLostCallError(error);
      return new GatewayError('INTERNAL_ERROR', 'internal error', { cause: error });
  }
}

/** The connection to a service broke: it is unknown whether the call was carried out. Never thrown by a handler, and never sent over the wire. */
export class LostCallError extends GatewayError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'an internal service is unavailable', { cause, retryAfterMs: 1_000 });
  }
}

/** Returns the error of a call whose connection broke. */
export function toLostCallError(cause: unknown): GatewayError {
  return new LostCallError(cause);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}
