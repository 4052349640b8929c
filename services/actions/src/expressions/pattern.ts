import { RE2JS } from 're2js';

/** A compiled regular expression; its matching time is linear in the text. */
export interface Pattern {
  test(text: string): boolean;
  /** Returns its source, the key of the cache of compiled patterns. */
  toString(): string;
}

/** Maximum length of a pattern in characters. */
const MAX_LENGTH = 1_000;

/**
 * Compiles a pattern in the syntax of RE2: without back references and look-around, so that its matching time is linear in the text.
 * @throws Error for other patterns
 */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_LENGTH) throw new Error(`a pattern has at most ${MAX_LENGTH} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  return { test: (text) => compiled.matcher(text).find(), toString: () => source };
}
