import { GatewayError } from '@parley/protos/errors';

const MAX_PARAM = 200;
/** A run of percent-encoded bytes. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi;
const NUL = '\u0000';

/**
 * Returns the parameters of the query of a request target, each with one value.
 * @throws GatewayError VALIDATION_ERROR that names a parameter which is repeated, is not UTF-8 or contains U+0000
 */
export function parseQuery(target: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  const start = target.indexOf('?');
  if (start === -1) return query;
  const text = target.slice(start + 1);
  if (text.includes('%')) refuseBadBytes(text);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in query) throw invalid(name, 'given more than once');
    if (value.includes(NUL) || name.includes(NUL)) throw invalid(name, 'the text holds U+0000');
    query[name] = value;
  }
  return query;
}

/** Rejects bytes that are not UTF-8, which URLSearchParams silently replaces with U+FFFD. */
function refuseBadBytes(text: string): void {
  for (const pair of text.split('&')) {
    if (pair.includes('%') && !isUtf8(pair)) throw invalid(new URLSearchParams(pair).keys().next().value ?? 'query', 'not valid UTF-8');
  }
}

function isUtf8(pair: string): boolean {
  try {
    return pair.match(ENCODED)?.every((bytes) => decodeURIComponent(bytes)) !== false;
  } catch {
    return false;
  }
}

function invalid(name: string, what: string): GatewayError {
  const param = name.slice(0, MAX_PARAM);
  return new GatewayError('VALIDATION_ERROR', `${param}: ${what}`, { param });
}
