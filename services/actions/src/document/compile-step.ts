import { type Risk, type Step } from '../domain/workflow.ts';
import { NAME_PATTERN } from '../expressions/expression.ts';
import { type ArazzoAction, type ArazzoStep, type ArazzoWorkflow } from './arazzo.ts';
import { checkBody } from './check-body.ts';
import { checkExpression, checkValueExpressions, type ExpressionScope } from './check-expressions.ts';
import { compileCriteria } from './compile-criteria.ts';
import { checkOperationParameters, compileParameters, isSettableHeader } from './compile-parameters.ts';
import { compileFailureActions, compileSuccessActions } from './compile-step-actions.ts';
import { type FindingReporter } from './finding-reporter.ts';
import { type CallableOperation } from './list-operations.ts';

const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const QUALIFIED = /^\$sourceDescriptions\.([A-Za-z0-9_-]+)\.(.+)$/;

/** The context in which a step is compiled. */
export interface StepScope {
  operations: readonly CallableOperation[];
  workflow: ArazzoWorkflow;
  /** Location of the workflow. */
  workflowLocation: FindingReporter;
  /** Scope of the values that the step sends: there is no response yet. */
  scope: ExpressionScope;
  laterStepIds: readonly string[];
  location: FindingReporter;
}

/** Compiles a step and reports findings; undefined when its operation is unknown. */
export function compileStep(step: ArazzoStep, where: StepScope): Step | undefined {
  const { workflow, workflowLocation, scope, location } = where;
  if (!NAME_PATTERN.test(step.stepId)) location.at('stepId').report("Ids of steps hold letters, digits, '-' and '_'.");
  const known = findOperation(step, where);
  if (!known) return undefined;
  const isHttp = known.operation.kind === 'http';
  const shared = { list: isHttp ? (workflow.parameters ?? []) : [], location: workflowLocation.at('parameters') };
  const parameters = compileParameters({ list: step.parameters ?? [], location: location.at('parameters') }, shared, scope);
  checkOperationParameters(known, parameters, location);
  const { contentType = 'application/json', payload, replacements } = step.requestBody ?? {};
  if (replacements)
    location.at('requestBody', 'replacements').report("Replacements are not supported; expressions may stand anywhere in 'payload'.");
  if (payload !== undefined) checkValueExpressions(payload, scope, location.at('requestBody', 'payload'));
  checkBody(known, contentType, payload, location.at('requestBody'));
  const answered = { ...scope, hasResponse: true };
  for (const [name, text] of Object.entries(step.outputs ?? {})) checkOutput(name, text, answered, location.at('outputs', name));
  const after = (own: readonly ArazzoAction[] | undefined, field: 'onSuccess' | 'onFailure', common: 'successActions' | 'failureActions') =>
    own ? { actions: own, location: location.at(field) } : { actions: workflow[common] ?? [], location: workflowLocation.at(common) };
  const success = after(step.onSuccess, 'onSuccess', 'successActions');
  const failure = after(step.onFailure, 'onFailure', 'failureActions');
  return {
    id: step.stepId,
    description: step.description ?? '',
    risk: readRisk(step, known, location),
    operation: known.operation,
    parameters,
    payload,
    contentType,
    idempotencyHeader: readIdempotencyHeader(step, known, location),
    successCriteria: compileCriteria(step.successCriteria, answered, location.at('successCriteria')),
    outputs: step.outputs ?? {},
    onSuccess: compileSuccessActions(success.actions, { ...where, scope: answered, location: success.location }),
    onFailure: compileFailureActions(failure.actions, { ...where, scope: answered, location: failure.location }),
  };
}

/** Checks an output of a step or a workflow; reports findings. */
export function checkOutput(name: string, text: string, scope: ExpressionScope, location: FindingReporter): void {
  if (!NAME_PATTERN.test(name)) location.report("Names of outputs hold letters, digits, '-' and '_'.");
  checkExpression(text, scope, location);
}

function findOperation({ operationId }: ArazzoStep, { operations, location }: StepScope): CallableOperation | undefined {
  if (operationId === undefined) {
    location.report("A step names what it calls with 'operationId'; 'operationPath' and 'workflowId' are not supported.");
    return undefined;
  }
  const [, source, id = operationId] = QUALIFIED.exec(operationId) ?? [];
  const found = operations.filter((operation) => operation.id === id && (source === undefined || operation.source === source));
  if (found.length === 0) location.at('operationId').report(`No source description has the operation '${operationId}'.`);
  if (found.length > 1)
    location
      .at('operationId')
      .report(`Several operations are called '${id}'; say '$sourceDescriptions.<name>.${id}' with the source description it is of.`);
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the risk that a step declares. Required for requests that may write, because only the author knows their effect. */
function readRisk(step: ArazzoStep, { operation }: CallableOperation, location: FindingReporter): Risk {
  const said = step['x-parley-risk'];
  if (said === undefined) {
    const reads = operation.kind === 'parley' || READING.has(operation.method);
    if (!reads) location.report("'x-parley-risk' must say what this request does: read, write or irreversible.");
    return reads ? 'read' : 'irreversible';
  }
  const risk = RISKS.find((known) => known === said);
  if (risk === undefined) location.at('x-parley-risk').report('It must be one of read, write, irreversible.');
  return risk ?? 'irreversible';
}

function readIdempotencyHeader(step: ArazzoStep, { operation }: CallableOperation, location: FindingReporter): string | undefined {
  const said = step['x-parley-idempotency'];
  if (said === undefined) return undefined;
  const here = location.at('x-parley-idempotency');
  if (typeof said !== 'string' || !isSettableHeader(said)) here.report('It must be the name of a header, such as Idempotency-Key.');
  else if (operation.kind === 'parley') here.report('What Parley does itself needs no header; it is done once anyway.');
  else return said;
  return undefined;
}
