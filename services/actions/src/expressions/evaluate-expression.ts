import { type JsonValue } from '../domain/json.ts';
import { type EvaluationContext } from './evaluation-context.ts';
import { type Expression } from './expression.ts';
import { resolvePointer, findJsonMember } from './json-pointer.ts';

/** Returns the value of an expression; undefined when it does not exist. */
export function evaluateExpression(expression: Expression, { inputs, steps, response }: EvaluationContext): JsonValue | undefined {
  switch (expression.kind) {
    case 'input':
      return pointed(findJsonMember(inputs, expression.name), expression.pointer);
    case 'output':
      return pointed(findJsonMember(findJsonMember(steps, expression.stepId), expression.name), expression.pointer);
    case 'status':
      return response?.statusCode;
    case 'header':
      return response && findJsonMember(response.headers, expression.name);
    case 'body':
      return pointed(response?.body, expression.pointer);
  }
}

function pointed(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return value === undefined ? undefined : resolvePointer(value, pointer);
}
