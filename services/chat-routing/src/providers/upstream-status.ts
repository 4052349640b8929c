import { GatewayError } from '@parley/protos/errors';

/** The longest wait of an upstream's Retry-After that is believed. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The coded error for an upstream's HTTP status. The upstream's own words are never relayed. */
export function refusalOf(status: number, retryAfter?: string | string[]): GatewayError {
  if (status === 401 || status === 403)
    return new GatewayError('ACCOUNT_REAUTH_REQUIRED', 'the provider no longer accepts the credentials of this account');
  if (status === 429)
    return new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits this account', { retryAfterMs: retryAfterMs(retryAfter) });
  if (status === 408 || status === 504) return new GatewayError('PROVIDER_TIMEOUT', 'the provider timed out');
  if (status === 503)
    return new GatewayError('PROVIDER_UNAVAILABLE', 'the provider is unavailable', { retryAfterMs: retryAfterMs(retryAfter) });
  if (status >= 400 && status < 500) return new GatewayError('INVALID_REQUEST', 'the provider rejected the request');
  return new GatewayError('PROVIDER_BAD_ANSWER', 'the provider failed');
}

function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
