import { RE2JS } from 're2js';

/** What looks for a regular expression in a text, in time that grows with the text and nothing else. */
export interface Pattern {
  test(text: string): boolean;
  /** Its source, the key of the cache of compiled patterns. */
  toString(): string;
}

/** Longest pattern that is compiled. */
const MAX_LENGTH = 1_000;

/** Compiles a pattern in the syntax of RE2: without back references and look-around, so its time is linear in the text. @throws Error for other patterns */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_LENGTH) throw new Error(`a pattern has at most ${MAX_LENGTH} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  return { test: (text) => compiled.matcher(text).find(), toString: () => source };
}
