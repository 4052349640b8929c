import { type JsonValue } from '../../domain/json.ts';
import { evaluateExpression } from '../evaluate-expression.ts';
import { type EvaluationContext } from '../evaluation-context.ts';
import { findJsonMember } from '../json-pointer.ts';
import { type ComparisonOperator, type ConditionTree } from './parse.ts';

/** Whether a condition is true. A missing value is null; no value other than `true` is true. */
export function isTrue(condition: ConditionTree, context: EvaluationContext): boolean {
  return evaluateOperand(condition, context) === true;
}

function evaluateOperand(condition: ConditionTree, context: EvaluationContext): JsonValue {
  switch (condition.kind) {
    case 'both':
      return isTrue(condition.left, context) && isTrue(condition.right, context);
    case 'either':
      return isTrue(condition.left, context) || isTrue(condition.right, context);
    case 'not':
      return !isTrue(condition.of, context);
    case 'compare':
      return compare(condition.operator, evaluateOperand(condition.left, context), evaluateOperand(condition.right, context));
    case 'literal':
      return condition.value;
    case 'expression':
      return condition.members.reduce(findJsonMember, evaluateExpression(condition.expression, context)) ?? null;
  }
}

function compare(operator: ComparisonOperator, left: JsonValue, right: JsonValue): boolean {
  switch (operator) {
    case '==':
      return same(left, right);
    case '!=':
      return !same(left, right);
    case '<':
      return inOrder(left, right, (a, b) => a < b);
    case '<=':
      return inOrder(left, right, (a, b) => a <= b);
    case '>':
      return inOrder(left, right, (a, b) => a > b);
    case '>=':
      return inOrder(left, right, (a, b) => a >= b);
  }
}

/** Whether two values are equal: never for different types, objects or lists. Texts are compared without regard to case, as in Arazzo. */
function same(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return left.toLowerCase() === right.toLowerCase();
  return left === right && (typeof left !== 'object' || left === null);
}

/** Compares two values; false unless both are numbers. */
function inOrder(left: JsonValue, right: JsonValue, isSo: (left: number, right: number) => boolean): boolean {
  return typeof left === 'number' && typeof right === 'number' && isSo(left, right);
}
