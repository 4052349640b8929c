import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { parseErrorBody, type ErrorBodyDetails } from './error-body.ts';
import { type ErrorClassification, classifyRejection, ERROR_BODY_CHECKS } from './error-classification.ts';
import { maskUpstreamMessage } from './mask-upstream-message.ts';

/** Upper limit for an upstream's Retry-After. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Converts an upstream's HTTP status and body (parsed if JSON) to a coded error. The upstream's message goes into `upstream`, shortened and
 * without secrets, and never into the error message. `secret`: the connection's, to be redacted.
 */
export function toStatusError(status: number, body?: unknown, retryAfter?: string | string[], secret = ''): GatewayError {
  const facts = parseErrorBody(body);
  const { condition, message, param } = classify(status, facts);
  const wait = WAITS.has(condition) ? retryAfterMs(retryAfter) : undefined;
  return new GatewayError(condition, message, {
    param,
    retryAfterMs: wait,
    upstream: { status, responseText: maskUpstreamMessage(facts.message, secret) },
  });
}

const WAITS: ReadonlySet<ErrorCondition> = new Set(['PROVIDER_RATE_LIMITED', 'PROVIDER_UNAVAILABLE']);

function classify(status: number, facts: ErrorBodyDetails): ErrorClassification {
  if (status === 402 || (status < 500 && ERROR_BODY_CHECKS.noCredit(status, facts)))
    return { condition: 'PROVIDER_NO_CREDIT', message: 'the account has no credit left at the provider' };
  if (status === 401 || (status === 400 && ERROR_BODY_CHECKS.badKey(facts)))
    return { condition: 'ACCOUNT_REAUTH_REQUIRED', message: 'the provider no longer accepts the credentials of this account' };
  switch (status) {
    case 403:
      if (ERROR_BODY_CHECKS.noModel(facts)) return NO_MODEL;
      if (ERROR_BODY_CHECKS.policy(facts)) return classifyRejection(status, facts);
      return { condition: 'PROVIDER_FORBIDDEN', message: 'the provider forbids this to the account' };
    case 404:
      return isAboutModel(facts) ? NO_MODEL : NO_PATH;
    case 410:
      if (!facts.isError) return NO_PATH;
      return isAboutModel(facts) ? NO_MODEL : classifyRejection(status, facts);
    case 405:
      return NO_PATH;
    case 408:
    case 504:
      return { condition: 'PROVIDER_TIMEOUT', message: 'the provider timed out' };
    case 429:
      return { condition: 'PROVIDER_RATE_LIMITED', message: 'the provider limits this account' };
    case 503:
      return { condition: 'PROVIDER_UNAVAILABLE', message: 'the provider is unavailable' };
    case 529:
      return { condition: 'PROVIDER_UNAVAILABLE', message: 'the provider is overloaded' };
  }
  if (status >= 400 && status < 500) return ERROR_BODY_CHECKS.noModel(facts) ? NO_MODEL : classifyRejection(status, facts);
  if (status >= 300 && status < 400) return { condition: 'PROVIDER_BAD_ANSWER', message: 'the provider answered with a redirect' };
  if (status < 300) return { condition: 'PROVIDER_BAD_ANSWER', message: 'the provider answered with nothing' };
  return { condition: 'PROVIDER_BAD_ANSWER', message: 'the provider failed' };
}

function isAboutModel(facts: ErrorBodyDetails): boolean {
  return facts.isError && (ERROR_BODY_CHECKS.noModel(facts) || /\b(models?|deployment)\b/i.test(facts.message));
}

const NO_MODEL: ErrorClassification = {
  condition: 'PROVIDER_MODEL_NOT_FOUND',
  message: 'the provider does not know the model on this connection',
  param: 'model',
};

const NO_PATH: ErrorClassification = {
  condition: 'PROVIDER_BAD_ANSWER',
  message: 'the provider has nothing at this path: the base URL of the connection may be wrong',
};

function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
