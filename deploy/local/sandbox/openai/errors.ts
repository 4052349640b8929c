import { type ErrorFormatter } from '../http/listener.ts';
import { type SandboxError } from '../http/sandbox-error.ts';

const CODES: Readonly<Record<string, string>> = {
  rate_limited: 'rate_limit_exceeded',
  session_expired: 'invalid_api_key',
};

function typeOf({ status }: SandboxError): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

/** Formats errors like the OpenAI API. */
export const formatOpenaiError: ErrorFormatter = (error) => ({
  error: { message: error.message, type: typeOf(error), param: null, code: CODES[error.code] ?? error.code },
});
