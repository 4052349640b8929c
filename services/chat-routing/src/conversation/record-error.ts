import { GatewayError, toGatewayError } from '@parley/protos/errors';

const UNAVAILABLE = new GatewayError('SERVICE_UNAVAILABLE', '').row.grpc;

/** True when the record could not be asked in time; whether it did what it was asked to is then unknown. */
export function isRecordUnavailable(error: unknown): boolean {
  const { condition, row } = toGatewayError(error);
  return row.grpc === UNAVAILABLE || condition === 'TIMEOUT' || condition === 'CANCELLED';
}

/** True when the record does not have what it was asked for. */
export function isMissing(error: unknown): boolean {
  return toGatewayError(error).condition === 'CONVERSATION_NOT_FOUND';
}

/** The error for a client of an error of the record: SERVICE_UNAVAILABLE when it could not be asked, anything else as it is. */
export function recordError(error: unknown): GatewayError {
  if (!isRecordUnavailable(error)) return toGatewayError(error);
  return new GatewayError('SERVICE_UNAVAILABLE', 'the record of conversations is not available', { cause: error, retryAfterMs: 1_000 });
}
