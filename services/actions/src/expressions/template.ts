import { type JsonValue } from '../domain/json.ts';
import { type Expression, parseExpression } from './expression.ts';

/** Matches an expression inside a text, between braces. */
const EMBEDDED = /\{(\$[^{}]*)\}/g;

/** Text that looks like an expression, so that an invalid one is an error and not plain text; `$5` is plain text. */
const MEANT = /^\$(?:inputs|steps|response|request|statusCode|url|method|outputs|workflows|sourceDescriptions|components|message|self)\b/;

/** A part of a text: plain text or an expression. */
export interface TemplatePart {
  text: string;
  /** Source of the expression; undefined for plain text. */
  source: string | undefined;
  /** Undefined for plain text and for invalid expressions. */
  expression: Expression | undefined;
}

/** Splits a text into plain texts and expressions; a single part when the whole text is an expression. */
export function splitTemplate(text: string): readonly TemplatePart[] {
  if (MEANT.test(text)) return [{ text, source: text, expression: parseExpression(text) }];
  const pieces: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(EMBEDDED)) {
    const source = match[1] ?? '';
    if (!MEANT.test(source)) continue;
    if (match.index > end) pieces.push(plain(text.slice(end, match.index)));
    pieces.push({ text: match[0], source, expression: parseExpression(source) });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push(plain(text.slice(end)));
  return pieces;
}

/** Yields every string in a value with its path. */
export function* listStringValues(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): Generator<{ text: string; path: readonly (string | number)[] }> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value))
    for (const [index, item] of (value as readonly JsonValue[]).entries()) yield* listStringValues(item, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) yield* listStringValues(item, [...path, name]);
}

function plain(text: string): TemplatePart {
  return { text, source: undefined, expression: undefined };
}
