import { GatewayError } from '@parley/protos/errors';
import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { type EvaluationContext } from './context.ts';

/**
 * A value of a document with its runtime expressions filled in. A text that is one expression becomes the value it finds, of any type; `{$…}` inside a
 * text becomes text. What finds nothing is left out of an object, is null in a list and is empty inside a text; alone it is undefined. What was filled in
 * is never read as an expression again. Never throws.
 */
export function fill(_value: JsonValue, _context: EvaluationContext): JsonValue | undefined {
  throw new GatewayError('NOT_IMPLEMENTED', 'runtime expressions are not available yet');
}

/** Named expressions, as outputs are; those that find nothing are left out. Never throws. */
export function fillAll(_expressions: Readonly<Record<string, string>>, _context: EvaluationContext): JsonObject {
  throw new GatewayError('NOT_IMPLEMENTED', 'runtime expressions are not available yet');
}
