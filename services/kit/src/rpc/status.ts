import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { Error as WireError } from '@parley/protos/common/v1/error';
import { GatewayError, isCondition, toGatewayError } from '@parley/protos/errors';

const TRAILER = 'parley-error-bin';

/** A trailer has no room for more; messages are for people and never that long. */
const MAX_MESSAGE = 1_000;

/** An error as the message that travels in a frame or a trailer. */
export function toWire({ condition, message, param, retryAfterMs }: GatewayError): WireError {
  return { condition, message: message.slice(0, MAX_MESSAGE), param: param?.slice(0, MAX_MESSAGE), retryAfterMs: wholeMs(retryAfterMs) };
}

/** An error as its receiver has it: without its cause, which stays with the service that threw it. */
export function asReceived(error: GatewayError): GatewayError {
  return fromWire(toWire(error));
}

/** The wire takes whole numbers only, and one that is none would break the stream it travels on. */
function wholeMs(ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.min(Math.max(Math.ceil(ms), 0), 0xffff_ffff);
}

/** The error a wire message stands for; a condition this build does not know becomes INTERNAL_ERROR. */
export function fromWire(wire: WireError): GatewayError {
  const condition = isCondition(wire.condition) ? wire.condition : 'INTERNAL_ERROR';
  return new GatewayError(condition, wire.message, { param: wire.param, retryAfterMs: wire.retryAfterMs });
}

/** The gRPC status of a refused call: the catalogue's code and the whole error in one binary trailer. */
export function toStatus(error: GatewayError): Partial<ServiceError> {
  const metadata = new Metadata();
  const wire = toWire(error);
  metadata.set(TRAILER, Buffer.from(WireError.encode(wire).finish()));
  return { code: error.row.grpc, details: wire.message, metadata };
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
      return unavailable(error);
    default:
      // Some broken connections are told as INTERNAL, with the HTTP/2 reset as the only sign.
      if (error.details.startsWith('Received RST_STREAM')) return unavailable(error);
      return new GatewayError('INTERNAL_ERROR', 'internal error', { cause: error });
  }
}

/** The way to a service broke: nobody knows whether the call was carried out. Never thrown by a handler, and not told across the wire. */
export class LostCallError extends GatewayError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'an internal service is unavailable', { cause, retryAfterMs: 1_000 });
  }
}

/** The error of a call whose way to the service is broken; the cause says so. */
export function unavailable(cause: unknown): GatewayError {
  return new LostCallError(cause);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}
