import { GatewayError } from '@parley/protos/errors';
import { APIConnectionTimeoutError, APIError, NotFoundError } from 'openai';
import { parseErrorBody } from '../error-body.ts';
import { toBadAnswerError } from '../event-stream-parser.ts';
import { withUpstreamFacts } from '../mask-upstream-message.ts';
import { toStatusError } from '../status-error.ts';

/** Estimated time for which the upstream locks a conversation that it is still working on; it reports none. */
const LOCKED_MS = 2_000;

/** Converts the error response of a turn to a coded error, by the error code in its body, else by its status. */
export function toTurnResponseError(status: number, body?: unknown, retryAfter?: string | string[], secret?: string): GatewayError {
  const byStatus = toStatusError(status, body, retryAfter, secret);
  // These are mapped by status, because that mapping includes `retry-after`.
  if (status === 401 || status === 429 || status >= 500) return byStatus;
  const byCode = parseErrorBody(body)
    .codes.map(findErrorByCode)
    .find((error) => error !== undefined);
  return byCode ? withUpstreamFacts(byCode, byStatus.upstream) : byStatus;
}

/** Converts the error response of any call other than a turn to a coded error. */
export function toResponseError(...refusal: Parameters<typeof toTurnResponseError>): GatewayError {
  const error = toTurnResponseError(...refusal);
  if (error.condition !== 'PROVIDER_FORBIDDEN') return error;
  // A valid key may lack permissions.
  const message = 'the key of this account is not allowed to do this';
  return withUpstreamFacts(new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', message), error.upstream);
}

/** Converts an error code of the upstream to a coded error; undefined for unspecific codes. */
export function findErrorByCode(code: string): GatewayError | undefined {
  switch (code) {
    case 'model_not_found':
      return new GatewayError('PROVIDER_MODEL_NOT_FOUND', 'the account does not offer this model', { param: 'model' });
    case 'conversation_locked':
      return new GatewayError('CONVERSATION_BUSY', 'the upstream is still answering in this conversation', { retryAfterMs: LOCKED_MS });
    case 'context_length_exceeded':
      return new GatewayError('PROVIDER_REJECTED_REQUEST', 'the conversation is longer than the model takes', { param: 'messages' });
    case 'unsupported_file':
    case 'unsupported_image_media_type':
    case 'invalid_image_format':
      return new GatewayError('UNSUPPORTED_FILE_TYPE', 'the model does not take files of this type');
    case 'insufficient_quota':
    case 'billing_hard_limit_reached':
    case 'billing_not_active':
      return new GatewayError('PROVIDER_NO_CREDIT', 'the account has no credit left at the provider');
    case 'rate_limit_exceeded':
      return new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits this account');
    case 'vector_store_timeout':
      return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not search the files of the project in time');
    case 'server_error':
      return new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering');
    case 'invalid_prompt':
    case 'bio_policy':
    case 'image_content_policy_violation':
    case 'moderation_blocked':
      return new GatewayError('PROVIDER_REJECTED_REQUEST', 'the provider refuses to answer this: its content policy forbids it', {
        param: 'messages',
      });
    default:
      return undefined;
  }
}

/** Converts what a call of the official client threw to a coded error. The upstream's message is never relayed. */
function coded(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof APIConnectionTimeoutError)
    return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer in time', { cause: thrown });
  if (thrown instanceof APIError) {
    const { cause } = thrown;
    if (cause instanceof GatewayError) return cause;
    const status: unknown = thrown.status;
    const headers: unknown = thrown.headers;
    const retryAfter = headers instanceof Headers ? headers.get('retry-after') : undefined;
    if (typeof status === 'number') return toResponseError(status, { error: thrown.error as unknown }, retryAfter ?? undefined);
  }
  return toBadAnswerError(thrown);
}

/** Awaits a call of the official client; converts its errors to coded errors, and a 404 to `gone` if that is given. */
export async function withCodedErrors<T>(call: Promise<T>, gone?: GatewayError): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    throw gone && thrown instanceof NotFoundError ? gone : coded(thrown);
  }
}

/** Awaits a delete call of the official client; a 404 is not an error. Throws a coded error. */
export async function ignoreNotFound(call: Promise<unknown>): Promise<void> {
  await call.catch((thrown: unknown) => {
    if (!(thrown instanceof NotFoundError)) throw coded(thrown);
  });
}
