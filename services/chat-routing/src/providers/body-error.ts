import { GatewayError } from '@parley/protos/errors';
import { parseErrorBody } from './error-body.ts';
import { ERROR_BODY_CHECKS } from './error-classification.ts';
import { maskUpstreamMessage } from './mask-upstream-message.ts';
import { toStatusError } from './status-error.ts';

const LIMITED = new Set(['rate_limit_exceeded', 'rate_limit_error', 'rate_limited', 'too_many_requests', 'resource_exhausted']);
const OVERLOADED = new Set(['overloaded_error', 'overloaded', 'server_overloaded', 'unavailable_error']);

/** Converts an error in the body of a response with status 200 to a coded error. `secret`: the connection's, to be redacted. */
export function toBodyError(body: unknown, secret?: string): GatewayError {
  const facts = parseErrorBody(body);
  const status = numberIn(body) ?? toStatus(facts);
  if (status !== undefined) return toStatusError(status, body, undefined, secret);
  return new GatewayError('PROVIDER_UNAVAILABLE', 'the provider failed while answering', {
    upstream: { responseText: maskUpstreamMessage(facts.message, secret) },
  });
}

/** The error code if it is an HTTP error status, else undefined. */
function numberIn(body: unknown): number | undefined {
  const { error } = body as { error?: { code?: unknown } | null };
  const code = Number((error ?? (body as { code?: unknown })).code);
  return code >= 400 && code < 600 ? code : undefined;
}

function toStatus(facts: ReturnType<typeof parseErrorBody>): number | undefined {
  if (ERROR_BODY_CHECKS.noCredit(0, facts)) return 402;
  if (facts.codes.some((code) => LIMITED.has(code))) return 429;
  if (facts.codes.some((code) => OVERLOADED.has(code))) return 529;
  return ERROR_BODY_CHECKS.tooLong(facts) || ERROR_BODY_CHECKS.policy(facts) ? 400 : undefined;
}
