import { type Criterion } from '../domain/workflow.ts';
import { compileJsonPath } from '../expressions/json-path.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { type ArazzoCriterion } from './arazzo.ts';
import { checkCondition, checkExpression, type ExpressionScope } from './check-expressions.ts';
import { type FindingReporter } from './finding-reporter.ts';

const TYPES = ['simple', 'regex', 'jsonpath'] as const;

/** Compiles criteria for runs; reports findings. */
export function compileCriteria(
  criteria: readonly ArazzoCriterion[] = [],
  scope: ExpressionScope,
  location: FindingReporter,
): readonly Criterion[] {
  return criteria.map((criterion, index) => compileCriterion(criterion, scope, location.at(index)));
}

function compileCriterion(
  { condition, context, type: said = 'simple' }: ArazzoCriterion,
  scope: ExpressionScope,
  location: FindingReporter,
): Criterion {
  const type = TYPES.find((known) => known === said);
  if (type === undefined) location.at('type').report("Criteria are of the type 'simple', 'regex' or 'jsonpath'.");
  if (type === 'simple') checkCondition(condition, scope, location.at('condition'));
  if (type === 'regex')
    attempt(
      () => compilePattern(condition),
      'The pattern is not one of RE2 (no look-around, no back references)',
      location.at('condition'),
    );
  if (type === 'jsonpath') attempt(() => compileJsonPath(condition), 'The JSONPath cannot be used', location.at('condition'));
  if (context !== undefined) checkExpression(context, scope, location.at('context'));
  else if (type !== 'simple') location.report(`A criterion of the type '${type ?? 'unknown'}' needs a 'context'.`);
  return { type: type ?? 'simple', condition, context };
}

function attempt(read: () => unknown, wrong: string, location: FindingReporter): void {
  try {
    read();
  } catch (error) {
    location.report(`${wrong}: ${(error as Error).message}.`);
  }
}
