import { GatewayError } from '@parley/protos/errors';

const MAX_LENGTH = 2_000;
const MAX_DECODINGS = 5;
const HERE = 'http://here.invalid';
/** What a browser, or a proxy that decodes, may read as another host, or as the end of a header. */
const UNSAFE = /^\/{2}|[\\\p{Cc}]/u;

/**
 * Returns a path of this gateway to redirect to after a sign-in; rejects anything that could lead to another host, in any encoding.
 * @throws GatewayError VALIDATION_ERROR
 */
export function toReturnPath(given: string): string {
  const path = given.length <= MAX_LENGTH && !/[\s\\\p{Cc}]/u.test(given) && isSafe(pathOf(given)) ? resolved(given) : undefined;
  if (path === undefined) throw new GatewayError('VALIDATION_ERROR', 'return_to: must be a path of this gateway', { param: 'return_to' });
  return path;
}

function pathOf(given: string): string {
  return /^[^?#]*/.exec(given)?.[0] ?? '';
}

function isSafe(path: string): boolean {
  let text = path;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    if (!text.startsWith('/') || UNSAFE.test(text) || resolved(text) === undefined) return false;
    const decoded = decode(text);
    if (decoded === text) return true;
    if (decoded === undefined) return false;
    text = decoded;
  }
  return false;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Resolves a path as a browser does (`/.//evil.example` becomes `//evil.example`); undefined when it leads to another host. */
function resolved(given: string): string | undefined {
  if (!URL.canParse(given, HERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(given, HERE);
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined;
}
