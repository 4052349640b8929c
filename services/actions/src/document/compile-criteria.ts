import { type Criterion } from '../domain/workflow.ts';
import { compilePath } from '../expressions/json-path.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { type ArazzoCriterion } from './arazzo.ts';
import { checkCondition, checkLone, type Scope } from './scope.ts';
import { type Spot } from './spot.ts';

const TYPES = ['simple', 'regex', 'jsonpath'] as const;

/** Criteria as runs evaluate them. */
export function compileCriteria(criteria: readonly ArazzoCriterion[] = [], scope: Scope, spot: Spot): readonly Criterion[] {
  return criteria.map((criterion, index) => compileCriterion(criterion, scope, spot.at(index)));
}

function compileCriterion({ condition, context, type: said = 'simple' }: ArazzoCriterion, scope: Scope, spot: Spot): Criterion {
  const type = TYPES.find((known) => known === said);
  if (type === undefined) spot.at('type').say("Criteria are of the type 'simple', 'regex' or 'jsonpath'.");
  if (type === 'simple') checkCondition(condition, scope, spot.at('condition'));
  if (type === 'regex')
    attempt(() => compilePattern(condition), 'The pattern is not one of RE2 (no look-around, no back references)', spot.at('condition'));
  if (type === 'jsonpath') attempt(() => compilePath(condition), 'The JSONPath cannot be used', spot.at('condition'));
  if (context !== undefined) checkLone(context, scope, spot.at('context'));
  else if (type !== 'simple') spot.say(`A criterion of the type '${type ?? 'unknown'}' needs a 'context'.`);
  return { type: type ?? 'simple', condition, context };
}

function attempt(read: () => unknown, wrong: string, spot: Spot): void {
  try {
    read();
  } catch (error) {
    spot.say(`${wrong}: ${(error as Error).message}.`);
  }
}
