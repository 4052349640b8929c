import { GatewayError } from '@parley/protos/errors';
import { APIConnectionTimeoutError, APIError, NotFoundError } from 'openai';
import { z } from 'zod';
import { badAnswer } from '../event-stream.ts';
import { refusalOf } from '../upstream-status.ts';

/** How long the upstream locks a conversation in which it still does something, at a guess: it does not say. */
const LOCKED_MS = 2_000;

const refusal = z.object({ error: z.object({ code: z.string().nullish(), param: z.string().nullish() }) });

/** What a refusal says besides its words. */
export interface Refusal {
  code: string;
  /** The field of the request that is to blame. */
  param: string;
}

/** Reads the body of a refusal. */
export function readRefusal(body: unknown): Refusal {
  const parsed = refusal.safeParse(body);
  return parsed.success ? { code: parsed.data.error.code ?? '', param: parsed.data.error.param ?? '' } : { code: '', param: '' };
}

/** The coded error for a refused call, by the code in its body or else by its status. */
export function refused(status: number, body: unknown, retryAfter?: string | string[]): GatewayError {
  const { code } = readRefusal(body);
  const byStatus = refusalOf(status, retryAfter);
  // A key may be good and yet not be allowed everything.
  if (status === 403 && code !== 'model_not_found')
    return new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'the key of this account is not allowed to do this');
  // What a limit says comes with the wait, which its code does not know.
  return status === 401 || status === 429 || status >= 500 ? byStatus : (failureOf(code) ?? byStatus);
}

/** What the upstream's error codes mean; undefined for those that say no more than that something was wrong. */
export function failureOf(code: string): GatewayError | undefined {
  switch (code) {
    case 'model_not_found':
      return new GatewayError('INVALID_REQUEST', 'the account does not offer this model', { param: 'model' });
    case 'conversation_locked':
      return new GatewayError('CONVERSATION_BUSY', 'the upstream is still answering in this conversation', { retryAfterMs: LOCKED_MS });
    case 'context_length_exceeded':
      return new GatewayError('INVALID_REQUEST', 'the conversation is longer than the model takes', { param: 'messages' });
    case 'unsupported_file':
    case 'unsupported_image_media_type':
    case 'invalid_image_format':
      return new GatewayError('UNSUPPORTED_FILE_TYPE', 'the model does not take files of this type');
    case 'rate_limit_exceeded':
    case 'insufficient_quota':
      return new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits this account');
    case 'vector_store_timeout':
      return new GatewayError('PROVIDER_TIMEOUT', 'the provider did not search the files of the project in time');
    case 'server_error':
      return new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering');
    case 'invalid_prompt':
    case 'bio_policy':
    case 'image_content_policy_violation':
    case 'moderation_blocked':
      return new GatewayError('INVALID_REQUEST', 'the provider refuses to answer this', { param: 'messages' });
    default:
      return undefined;
  }
}

/** What a call of the official client threw, as a coded error. Its own words, which are the upstream's, are never relayed. */
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
    if (typeof status === 'number') return refused(status, { error: thrown.error as unknown }, retryAfter ?? undefined);
  }
  return badAnswer(thrown);
}

/** Makes a call; throws what `coded` makes of its failure, and `gone` where the upstream has no such thing. */
export async function called<T>(call: Promise<T>, gone?: GatewayError): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    throw gone && thrown instanceof NotFoundError ? gone : coded(thrown);
  }
}

/** Makes a call that removes something; what is gone already is no error. Throws a coded error. */
export async function removed(call: Promise<unknown>): Promise<void> {
  await call.catch((thrown: unknown) => {
    if (!(thrown instanceof NotFoundError)) throw coded(thrown);
  });
}
