import { mask } from '@parley/kit/log/mask';
import { GatewayError, type UpstreamFacts } from '@parley/protos/errors';

const MAX_WORDS = 300;
/** Characters that are masked; what follows them does not fit in any case. */
const MAX_READ = 4_000;
/** A secret that is shorter would mask parts of ordinary words. */
const MIN_SECRET = 6;

/** Keys of providers that the log's own mask does not know, tokens in three parts, and anything else that is long and random. */
const KEYS = /\bAIza[\w-]{10,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b[a-z]{2,6}-[A-Za-z0-9]{20,}|\b(?=\w*\d)(?=\w*[A-Za-z])\w{24,}/g;

/** The message of an upstream, in one line of 300 characters at most and without secrets. `secret`: that of the connection. */
export function toUpstreamMessage(said: string, secret = ''): string {
  const line = whole(said.slice(0, MAX_READ), said.length)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const known = secret.length < MIN_SECRET ? line : line.replaceAll(secret, '***');
  const masked = mask(known).replace(KEYS, '***');
  return masked.length > MAX_WORDS ? `${masked.slice(0, MAX_WORDS - 1)}…` : masked;
}

/** The same error with the message of the upstream. */
export function withUpstream(error: GatewayError, upstream: UpstreamFacts | undefined): GatewayError {
  const { condition, message, param, retryAfterMs, cause } = error;
  return new GatewayError(condition, message, { param, retryAfterMs, cause, upstream });
}

/** Without a last word that was cut in two: it may be half of a secret. */
function whole(text: string, length: number): string {
  return text.length === length ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ')));
}
