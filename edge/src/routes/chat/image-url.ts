import { isPublicHost } from '@parley/kit/egress/public-address';
import { GatewayError } from '@parley/protos/errors';

const DATA_IMAGE = /^data:image\/[a-z0-9.+-]+;base64,/;
/** Longest scheme, type and encoding of a data URL, in characters. */
const MAX_START = 100;
const PADDING = /={0,2}$/;
/** Characters that one match of the pattern checks: over megabytes it would exceed the backtracking stack. */
const RUN = 64 * 1_024;
const BASE64 = /^[A-Za-z0-9+/]+$/;

/**
 * Rejects an image URL that could make an upstream read from a private network. Nothing is fetched here: data URLs and public https URLs
 * are passed to adapters that declare images.
 * @throws GatewayError INVALID_REQUEST with the position of the message as `param`
 */
export function requireSafeImageUrl(url: string, param: string): void {
  if (url.startsWith('data:')) {
    if (!isDataImage(url)) throw refused('a data URL must hold a base64 image', param);
    return;
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password)
    throw refused('an image URL must be a data: or https: URL', param);
  if (!isPublicHost(parsed.hostname)) throw refused('an image URL must name a public host', param);
}

function isDataImage(url: string): boolean {
  const start = DATA_IMAGE.exec(url.slice(0, MAX_START))?.[0].length;
  if (start === undefined) return false;
  const end = url.length - (PADDING.exec(url.slice(-2))?.[0].length ?? 0);
  if (end <= start) return false;
  for (let at = start; at < end; at += RUN) {
    if (!BASE64.test(url.slice(at, Math.min(at + RUN, end)))) return false;
  }
  return true;
}

function refused(message: string, param: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', message, { param });
}
