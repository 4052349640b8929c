import { GatewayError } from '@parley/protos/errors';
import { badAnswerError } from '../event-stream.ts';
import { toRefusal } from '../upstream-status.ts';
import { toFields, readErrorMessage } from './error-message.ts';

/** A refused call. */
export interface SdkRefusal {
  status: number;
  /** Parsed where it is JSON. */
  body: unknown;
  retryAfter?: string | string[] | undefined;
  /** That of the account, which an upstream may quote. */
  secret?: string;
}

/** AWS says 403 of credentials that it does not know, and of a right that is missing. */
const BAD_CREDENTIALS =
  /security token|signature (we calculated|does not match|expired|not yet current)|unrecognizedclient|authentication failed|api key.{0,20}(invalid|not valid)/i;
/** AWS says 400 of a model that there is not. */
const NO_MODEL = /model identifier is invalid/i;

/** The coded error for a refused call, with the meaning that these providers give to a status where it differs from the usual one. */
export function toRefusedError({ status, body, retryAfter, secret = '' }: SdkRefusal): GatewayError {
  return toRefusal(meantStatus(status, readErrorMessage(body)), body, retryAfter ?? retryDelay(body), secret);
}

function meantStatus(status: number, words: string): number {
  if (status === 403 && BAD_CREDENTIALS.test(words)) return 401;
  if (status === 400 && NO_MODEL.test(words)) return 404;
  // AWS: the model failed while it was processing the request.
  return status === 424 ? 500 : status;
}

/** Google says in the body how long to wait (https://cloud.google.com/apis/design/errors): `"retryDelay": "37s"`. */
function retryDelay(body: unknown): string | undefined {
  const { details } = toFields(toFields(Array.isArray(body) ? body[0] : body).error);
  if (!Array.isArray(details)) return undefined;
  const delay = details.map((detail) => toFields(detail).retryDelay).find((one) => typeof one === 'string');
  const seconds = Number.parseFloat(delay ?? '');
  return Number.isFinite(seconds) ? String(Math.ceil(seconds)) : undefined;
}

/** What an error that comes as an event would have been as a status: Anthropic by `error.type`, Google by `error.code`, AWS by the event. */
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

/** Whether an event says that the answer failed. */
export function isErrorEvent(event: unknown): boolean {
  const fields = toFields(event);
  return (fields.error ?? undefined) !== undefined || fields.type === 'error' || findException(event) !== undefined;
}

/** The coded error for an event that says that the answer failed. */
export function toStreamRefusal(event: unknown, secret: string): GatewayError {
  const exception = findException(event);
  const body = exception === undefined ? event : toFields(event)[exception];
  const { code, type } = toFields(toFields(event).error);
  const known = [exception, code, type].flatMap((one) => (typeof one === 'string' ? (STATUS[one] ?? []) : []))[0];
  const status = known ?? (typeof code === 'number' && code >= 400 && code < 600 ? code : 500);
  const error = toRefusedError({ status, body, secret });
  // An upstream that fails while it answers was there, and is expected back.
  return error.condition === 'PROVIDER_BAD_ANSWER'
    ? new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering', { upstream: error.upstream })
    : error;
}

function findException(event: unknown): string | undefined {
  return Object.keys(toFields(event)).find((key) => key.endsWith('Exception'));
}

/** The coded error for what a call of an SDK threw, or for the reason that one of its events is no event. */
export function toSdkError(thrown: unknown, secret: string): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const { name, statusCode, responseBody, cause } = toFields(thrown);
  if (cause instanceof GatewayError) return cause;
  if (name === 'AI_UnsupportedFunctionalityError' || name === 'AI_InvalidPromptError')
    return new GatewayError('PROVIDER_REJECTED_REQUEST', 'the provider does not take messages like these', { cause: thrown });
  // An error event that came before any other.
  if (name === 'AI_APICallError' && typeof statusCode === 'number' && statusCode !== 200) {
    const event = parse(responseBody);
    if (typeof toFields(event).type === 'string') return toStreamRefusal({ error: event }, secret);
  }
  return badAnswerError(thrown);
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
