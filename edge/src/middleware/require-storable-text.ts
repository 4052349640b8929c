import { GatewayError } from '@parley/protos/errors';

/** Matches JSON escapes of characters that PostgreSQL and protobuf cannot store. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Rejects U+0000 and lone surrogates in any string or property name of a parsed body; `text` is its JSON.
 * @throws GatewayError VALIDATION_ERROR with the path of the text
 */
export function requireStorableText(text: string, value: unknown): void {
  if (SUSPECT.test(text)) walk(value, '');
}

function walk(value: unknown, path: string): void {
  if (typeof value === 'string') check(value, path);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      check(name, path);
      walk(child, path === '' ? name : `${path}.${name}`);
    }
  }
}

/** U+0000 or a lone surrogate; with the flag `u` a complete pair does not match. */
const BAD = /[\u0000\p{Surrogate}]/u;
/** Longest reported path, in characters: it contains the client's property names. */
const MAX_PATH = 200;

function check(value: string, path: string): void {
  if (!BAD.test(value)) return;
  const param = path === '' ? 'body' : path.slice(0, MAX_PATH);
  throw new GatewayError('VALIDATION_ERROR', 'the text holds U+0000 or half of a surrogate pair', { param });
}
