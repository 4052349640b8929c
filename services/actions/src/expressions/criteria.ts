import { type Criterion } from '../domain/workflow.ts';
import { isTrue } from './condition/evaluate.ts';
import { parseCondition } from './condition/parse.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { type EvaluationContext } from './evaluation-context.ts';
import { parseExpression } from './expression.ts';
import { matchesJsonPath } from './json-path.ts';
import { compilePattern } from './pattern.ts';
import { toTemplateText } from './resolve-expressions.ts';

/** Whether a criterion is met; false when it cannot be evaluated, for example because a value is missing. Never throws. */
export function isCriterionMet(criterion: Criterion, context: EvaluationContext): boolean {
  try {
    return evaluateCriterion(criterion, context);
  } catch {
    // A published criterion was compiled before, so only an excessive response can throw; the criterion is then not met.
    return false;
  }
}

function evaluateCriterion({ type, condition, context: source }: Criterion, context: EvaluationContext): boolean {
  if (type === 'simple') return isTrue(parseCondition(condition), context);
  const expression = source === undefined ? undefined : parseExpression(source);
  const value = expression && evaluateExpression(expression, context);
  if (value === undefined) return false;
  return type === 'regex' ? compilePattern(condition).test(toTemplateText(value)) : matchesJsonPath(condition, value);
}
