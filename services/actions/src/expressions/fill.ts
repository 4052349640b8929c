import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { type EvaluationContext } from './context.ts';
import { evaluate } from './evaluate.ts';
import { splitTemplate } from './template.ts';

/**
 * A value of a document with its runtime expressions filled in. A text that is one expression becomes the value it finds, of any type; `{$…}` inside a
 * text becomes text. What finds nothing is left out of an object, is null in a list and is empty inside a text; alone it is undefined. What was filled in
 * is never read as an expression again. Never throws.
 */
export function fill(value: JsonValue, context: EvaluationContext): JsonValue | undefined {
  if (typeof value === 'string') return fillText(value, context);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => fill(item, context) ?? null);
  return fillAll(value as JsonObject, context);
}

/** Named values, such as the expressions of outputs; those that find nothing are left out. Never throws. */
export function fillAll(values: JsonObject, context: EvaluationContext): JsonObject {
  const filled = Object.entries(values).map(([name, value]) => [name, fill(value, context)] as const);
  return Object.fromEntries(filled.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function fillText(text: string, context: EvaluationContext): JsonValue | undefined {
  const pieces = splitTemplate(text);
  const [first] = pieces;
  if (first?.expression && first.source === text) return evaluate(first.expression, context);
  return pieces.map((piece) => (piece.expression ? asText(evaluate(piece.expression, context)) : piece.text)).join('');
}

/** A value as it stands inside a text. */
export function asText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
