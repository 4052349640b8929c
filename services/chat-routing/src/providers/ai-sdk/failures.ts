import { GatewayError } from '@parley/protos/errors';
import { toBadAnswerError } from '../event-stream-parser.ts';
import { toStatusError } from '../status-error.ts';
import { toPlainObject, readErrorMessage } from './error-message.ts';

/** An error response of an upstream. */
export interface SdkErrorResponse {
  status: number;
  /** Parsed body if it is JSON. */
  body: unknown;
  retryAfter?: string | string[] | undefined;
  /** The connection's secret, which is redacted because an upstream may quote it. */
  secret?: string;
}

/** Messages of rejected credentials: AWS answers 403 both for these and for missing permissions. */
const BAD_CREDENTIALS =
  /security token|signature (we calculated|does not match|expired|not yet current)|unrecognizedclient|authentication failed|api key.{0,20}(invalid|not valid)/i;
/** Message of an unknown model, for which AWS answers 400. */
const NO_MODEL = /model identifier is invalid/i;

/** Converts an error response to a coded error, after correcting statuses that these providers use in unusual ways. */
export function toResponseError({ status, body, retryAfter, secret = '' }: SdkErrorResponse): GatewayError {
  return toStatusError(meantStatus(status, readErrorMessage(body)), body, retryAfter ?? retryDelay(body), secret);
}

function meantStatus(status: number, words: string): number {
  if (status === 403 && BAD_CREDENTIALS.test(words)) return 401;
  if (status === 400 && NO_MODEL.test(words)) return 404;
  // AWS: the model failed while it was processing the request.
  return status === 424 ? 500 : status;
}

/** Reads Google's retry delay from the body in seconds (https://cloud.google.com/apis/design/errors): `"retryDelay": "37s"`. */
function retryDelay(body: unknown): string | undefined {
  const { details } = toPlainObject(toPlainObject(Array.isArray(body) ? body[0] : body).error);
  if (!Array.isArray(details)) return undefined;
  const delay = details.map((detail) => toPlainObject(detail).retryDelay).find((one) => typeof one === 'string');
  const seconds = Number.parseFloat(delay ?? '');
  return Number.isFinite(seconds) ? String(Math.ceil(seconds)) : undefined;
}

/** HTTP status equivalent to an error event, by `error.type` (Anthropic), `error.code` (OpenAI-style) or the name of the event (AWS). */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  insufficient_quota: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  timeout_error: 504,
  overloaded_error: 529,
  validationException: 400,
  modelTimeoutException: 408,
  throttlingException: 429,
  serviceUnavailableException: 503,
};

/** Whether a stream event reports that the answer failed. */
export function isErrorEvent(event: unknown): boolean {
  const fields = toPlainObject(event);
  return (fields.error ?? undefined) !== undefined || fields.type === 'error' || findException(event) !== undefined;
}

/** Converts an error event of a stream to a coded error. */
export function toStreamError(event: unknown, secret: string): GatewayError {
  const exception = findException(event);
  const body = exception === undefined ? event : toPlainObject(event)[exception];
  const { code, type } = toPlainObject(toPlainObject(event).error);
  const known = [exception, code, type].flatMap((one) => (typeof one === 'string' ? (STATUS[one] ?? []) : []))[0];
  const status = known ?? (typeof code === 'number' && code >= 400 && code < 600 ? code : 500);
  const error = toResponseError({ status, body, secret });
  // An upstream that fails while answering is expected to recover.
  return error.condition === 'PROVIDER_BAD_ANSWER'
    ? new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering', { upstream: error.upstream })
    : error;
}

function findException(event: unknown): string | undefined {
  return Object.keys(toPlainObject(event)).find((key) => key.endsWith('Exception'));
}

/** Converts what an SDK call threw, or the error of an invalid event, to a coded error. */
export function toSdkError(thrown: unknown, secret: string): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const { name, statusCode, responseBody, cause } = toPlainObject(thrown);
  if (cause instanceof GatewayError) return cause;
  if (name === 'AI_UnsupportedFunctionalityError' || name === 'AI_InvalidPromptError')
    return new GatewayError('PROVIDER_REJECTED_REQUEST', 'the provider does not take messages like these', { cause: thrown });
  // The stream began with an error event.
  if (name === 'AI_APICallError' && typeof statusCode === 'number' && statusCode !== 200) {
    const event = parse(responseBody);
    if (typeof toPlainObject(event).type === 'string') return toStreamError({ error: event }, secret);
  }
  return toBadAnswerError(thrown);
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
