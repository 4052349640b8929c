import { GatewayError } from '@parley/protos/errors';

/** Escapes that may stand for characters that PostgreSQL and protobuf cannot store. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Refuses U+0000 and lone surrogates in any string or name of a parsed body.
 * @throws GatewayError VALIDATION_ERROR with the path of the text
 */
export function refuseBadText(text: string, value: unknown): void {
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

/** Half of a surrogate pair only: with the flag `u` a whole pair is one character of another kind. */
const BAD = /[\u0000\p{Surrogate}]/u;
/** A path is made of the client's own names, which may be long. */
const MAX_PATH = 200;

function check(value: string, path: string): void {
  if (!BAD.test(value)) return;
  const param = path === '' ? 'body' : path.slice(0, MAX_PATH);
  throw new GatewayError('VALIDATION_ERROR', 'the text holds U+0000 or half of a surrogate pair', { param });
}
