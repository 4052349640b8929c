import { GatewayError, toGatewayError } from '@parley/protos/errors';

const UNAVAILABLE = new GatewayError('SERVICE_UNAVAILABLE', '').row.grpc;

/** Whether a call to the conversation service failed without a definite answer; whether the operation took effect is then unknown. */
export function isOutcomeUncertain(error: unknown): boolean {
  const { condition, row } = toGatewayError(error);
  return row.grpc === UNAVAILABLE || condition === 'TIMEOUT' || condition === 'CANCELLED';
}

/** Whether the conversation service answered that it does not have the conversation or turn. */
export function isConversationNotFound(error: unknown): boolean {
  return toGatewayError(error).condition === 'CONVERSATION_NOT_FOUND';
}

/** Converts an error of the conversation service for the client: SERVICE_UNAVAILABLE without a definite answer, else its coded error. */
export function toClientError(error: unknown): GatewayError {
  if (!isOutcomeUncertain(error)) return toGatewayError(error);
  return new GatewayError('SERVICE_UNAVAILABLE', 'the record of conversations is not available', { cause: error, retryAfterMs: 1_000 });
}
