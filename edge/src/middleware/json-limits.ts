import { GatewayError } from '@parley/protos/errors';

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** True when JSON text nests deeper than `max`. Looked at before parsing, because a deep value costs memory by the level. */
export function nestsDeeper(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > max) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

/** Where the string that opens at `start` closes. Jumps from quote to quote: an inline image is one string of megabytes. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Escapes that may stand for what PostgreSQL and protobuf cannot hold; valid UTF-8 holds it in no other way. */
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
