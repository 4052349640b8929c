import { RE2JS } from 're2js';

/** What looks for a regular expression in a text, in time that grows with the text and nothing else. */
export interface Pattern {
  test(text: string): boolean;
  /** Its source: what keeps compiled patterns tells them apart by it. */
  toString(): string;
}

/** Longest pattern that is compiled. */
const MAX_LENGTH = 1_000;

/** A pattern in the syntax of RE2: no back references, nothing looks around, so nobody's text can make it slow. @throws Error one that is not */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_LENGTH) throw new Error(`a pattern has at most ${MAX_LENGTH} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  return { test: (text) => compiled.matcher(text).find(), toString: () => source };
}
