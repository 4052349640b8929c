import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { type EvaluationContext } from './evaluation-context.ts';
import { splitTemplate } from './template.ts';

/**
 * Returns a value of a document with its runtime expressions resolved. A text that is one expression becomes the value of the expression,
 * of any type; `{$…}` inside a text becomes text. An expression without a value is omitted from an object, is null in a list and empty
 * inside a text; alone it returns undefined. Resolved values are never parsed for expressions again. Never throws.
 */
export function resolveExpressions(value: JsonValue, context: EvaluationContext): JsonValue | undefined {
  if (typeof value === 'string') return fillText(value, context);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => resolveExpressions(item, context) ?? null);
  return resolveNamedExpressions(value as JsonObject, context);
}

/** Resolves the expressions of named values, such as outputs; omits those without a value. Never throws. */
export function resolveNamedExpressions(values: JsonObject, context: EvaluationContext): JsonObject {
  const filled = Object.entries(values).map(([name, value]) => [name, resolveExpressions(value, context)] as const);
  return Object.fromEntries(filled.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function fillText(text: string, context: EvaluationContext): JsonValue | undefined {
  const pieces = splitTemplate(text);
  const [first] = pieces;
  if (first?.expression && first.source === text) return evaluateExpression(first.expression, context);
  return pieces.map((piece) => (piece.expression ? toTemplateText(evaluateExpression(piece.expression, context)) : piece.text)).join('');
}

/** Converts a value for use inside a text: JSON unless it is a text; empty for undefined. */
export function toTemplateText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
