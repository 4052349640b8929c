import { type JsonValue } from '../domain/json.ts';
import { parseCondition, type ConditionTree } from '../expressions/condition/parse.ts';
import { type Expression, parseExpression } from '../expressions/expression.ts';
import { splitTemplate, listStringValues } from '../expressions/template.ts';
import { type FindingReporter } from './finding-reporter.ts';

/** What expressions at a position of a document may refer to. */
export interface ExpressionScope {
  inputs: ReadonlySet<string>;
  /** Outputs of earlier steps, by step id. */
  steps: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether a response is available. */
  hasResponse: boolean;
}

/** Checks every expression in a value; reports findings. */
export function checkValueExpressions(value: JsonValue, scope: ExpressionScope, location: FindingReporter): void {
  for (const { text, path } of listStringValues(value)) {
    for (const { source, expression } of splitTemplate(text)) {
      if (source !== undefined) checkParsed(source, expression, scope, location.at(...path));
    }
  }
}

/** Checks a text that must be a single expression; reports findings. */
export function checkExpression(text: string, scope: ExpressionScope, location: FindingReporter): void {
  checkParsed(text, parseExpression(text), scope, location);
}

/** Checks a condition of a `simple` criterion; reports findings. */
export function checkCondition(text: string, scope: ExpressionScope, location: FindingReporter): void {
  try {
    for (const { expression, source } of listExpressions(parseCondition(text))) checkParsed(source, expression, scope, location);
  } catch (error) {
    location.report(`The condition cannot be read: ${(error as Error).message}.`);
  }
}

function checkParsed(
  source: string,
  expression: Expression | undefined,
  { inputs, steps, hasResponse }: ExpressionScope,
  location: FindingReporter,
): void {
  if (!expression) {
    location.report(
      `'${source}' is not a runtime expression that actions have: $inputs.name, $steps.id.outputs.name, $statusCode, $response.header.Name, $response.body.`,
    );
  } else if (expression.kind === 'input') {
    if (!inputs.has(expression.name)) location.report(`'${source}' refers to an input that is not declared.`);
  } else if (expression.kind === 'output') {
    if (!steps.has(expression.stepId)) location.report(`'${source}' refers to '${expression.stepId}', which is not an earlier step.`);
    else if (!steps.get(expression.stepId)?.has(expression.name))
      location.report(`'${source}' refers to an output that the step '${expression.stepId}' does not have.`);
  } else if (!hasResponse) {
    location.report(`'${source}' refers to an answer, and there is none here.`);
  }
}

function* listExpressions(condition: ConditionTree): Generator<Extract<ConditionTree, { kind: 'expression' }>> {
  if (condition.kind === 'expression') yield condition;
  if (condition.kind === 'not') yield* listExpressions(condition.of);
  if ('left' in condition) {
    yield* listExpressions(condition.left);
    yield* listExpressions(condition.right);
  }
}
