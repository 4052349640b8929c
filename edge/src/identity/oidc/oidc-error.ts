import { GatewayError } from '@parley/protos/errors';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

const MAX_CAUSES = 5;
const MAX_REASON = 300;
/** Pattern of the error codes of RFC 6749 and OpenID Connect; other values are not shown. */
const CODE = /^[a-z_]{1,60}$/;

/**
 * Converts a failure with a provider: returns the GatewayError in its chain of causes, else OIDC_REFUSED with `message`, or with the
 * provider's error code.
 */
export function toOidcError(thrown: unknown, message = 'the answer of the provider is not valid'): GatewayError {
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (error instanceof GatewayError) return error;
    error = error.cause;
  }
  const isAnswer = thrown instanceof AuthorizationResponseError || thrown instanceof ResponseBodyError;
  const code = isAnswer && CODE.test(thrown.error) ? `: ${thrown.error}` : '';
  return new GatewayError('OIDC_REFUSED', isAnswer ? `the provider refused the sign-in${code}` : message, {
    cause: withoutSecrets(thrown),
  });
}

/**
 * Returns an error with only the messages of the libraries. Their errors also contain parameters and tokens, and those of parsers quote
 * their input, which must not be logged.
 */
function withoutSecrets(thrown: unknown): Error {
  const reasons: string[] = [];
  let error = thrown;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    const isOurs = error instanceof TypeError || 'code' in error;
    reasons.push(isOurs ? error.message : error.name);
    error = error.cause;
  }
  return new Error(reasons.join(': ').slice(0, MAX_REASON));
}
