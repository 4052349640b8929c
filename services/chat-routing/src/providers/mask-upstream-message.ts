import { maskSecrets } from '@parley/kit/log/mask-secrets';
import { GatewayError, type UpstreamErrorDetails } from '@parley/protos/errors';

const MAX_WORDS = 300;
/** Characters of the input that are read; later ones would not fit into the result. */
const MAX_READ = 4_000;
/** Minimum length of a secret to mask; a shorter one would mask parts of ordinary words. */
const MIN_SECRET = 6;

/** Provider keys that the log's mask does not know, JWTs, and other long random strings. */
const KEYS = /\bAIza[\w-]{10,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[a-z]{2,6}-[A-Za-z0-9]{20,}|\b(?=\w*\d)(?=\w*[A-Za-z])\w{24,}/g;

/** Returns an upstream's message as one line of at most 300 characters with secrets masked. `secret`: the connection's. */
export function maskUpstreamMessage(said: string, secret = ''): string {
  const line = whole(said.slice(0, MAX_READ), said.length)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const known = secret.length < MIN_SECRET ? line : line.replaceAll(secret, '***');
  const masked = maskSecrets(known).replace(KEYS, '***');
  return masked.length > MAX_WORDS ? `${masked.slice(0, MAX_WORDS - 1)}…` : masked;
}

/** Returns a copy of the error with these upstream facts. */
export function withUpstreamFacts(error: GatewayError, upstream: UpstreamErrorDetails | undefined): GatewayError {
  const { condition, message, param, retryAfterMs, cause } = error;
  return new GatewayError(condition, message, { param, retryAfterMs, cause, upstream });
}

/** Removes the last word of a truncated text: it may be half of a secret. */
function whole(text: string, length: number): string {
  return text.length === length ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ')));
}
