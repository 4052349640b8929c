import { GatewayError } from '@parley/protos/errors';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

const MAX_CAUSES = 5;
const MAX_REASON = 300;
/** Error codes of RFC 6749 and OpenID Connect; anything else is not repeated. */
const CODE = /^[a-z_]{1,60}$/;

/** What went wrong with a provider, as a coded error: the outage that is its cause, else that its answer is refused. */
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

/** Why, in the words of the libraries. Their errors carry parameters and tokens as well, and those of parsers quote what they read: none of it may reach a log. */
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
