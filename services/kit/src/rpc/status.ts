import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { Error as WireError } from '@parley/protos/common/v1/error';
import { GatewayError, isCondition, toGatewayError } from '@parley/protos/errors';

const TRAILER = 'parley-error-bin';

/** An error as the message that travels in a frame or a trailer. */
export function toWire(error: GatewayError): WireError {
  return { condition: error.condition, message: error.message, param: error.param, retryAfterMs: error.retryAfterMs };
}

/** The error a wire message stands for; a condition this build does not know becomes INTERNAL_ERROR. */
export function fromWire(wire: WireError): GatewayError {
  const condition = isCondition(wire.condition) ? wire.condition : 'INTERNAL_ERROR';
  return new GatewayError(condition, wire.message, { param: wire.param, retryAfterMs: wire.retryAfterMs });
}

/** The gRPC status of a refused call: the catalogue's code and the whole error in one binary trailer. */
export function toStatus(thrown: unknown): Partial<ServiceError> {
  const error = toGatewayError(thrown);
  const metadata = new Metadata();
  metadata.set(TRAILER, Buffer.from(WireError.encode(toWire(error)).finish()));
  return { code: error.row.grpc, details: error.message, metadata };
}

/** The coded error behind a failed gRPC call: our own from the trailer, or what the transport's status means. */
export function fromStatus(error: unknown): GatewayError {
  if (!isServiceError(error)) return toGatewayError(error);
  const [bytes] = error.metadata?.get(TRAILER) ?? [];
  if (bytes instanceof Uint8Array) return fromWire(WireError.decode(bytes));
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
      return new GatewayError('TIMEOUT', 'an internal service did not answer in time', { cause: error });
    case status.CANCELLED:
      return new GatewayError('CANCELLED', 'the call was cancelled', { cause: error });
    case status.UNIMPLEMENTED:
      return new GatewayError('NOT_IMPLEMENTED', 'the service does not offer this', { cause: error });
    case status.UNAVAILABLE:
      return new GatewayError('SERVICE_UNAVAILABLE', 'an internal service is unavailable', { cause: error, retryAfterMs: 1000 });
    default:
      return new GatewayError('INTERNAL_ERROR', 'internal error', { cause: error });
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}
