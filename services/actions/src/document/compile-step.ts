import { type Risk, type Step } from '../domain/workflow.ts';
import { NAME } from '../expressions/expression.ts';
import { type ArazzoAction, type ArazzoStep, type ArazzoWorkflow } from './arazzo.ts';
import { compileFailure, compileSuccess } from './compile-actions.ts';
import { compileCriteria } from './compile-criteria.ts';
import { checkAgainst, compileParameters, isOwnHeader } from './compile-parameters.ts';
import { checkBody } from './check-body.ts';
import { checkLone, checkValue, type Scope } from './scope.ts';
import { type KnownOperation } from './sources.ts';
import { type Spot } from './spot.ts';

const RISKS: readonly Risk[] = ['read', 'write', 'irreversible'];
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const QUALIFIED = /^\$sourceDescriptions\.([A-Za-z0-9_-]+)\.(.+)$/;

/** What a step is compiled with. */
export interface StepSurroundings {
  operations: readonly KnownOperation[];
  workflow: ArazzoWorkflow;
  /** Of the workflow. */
  workflowSpot: Spot;
  /** Of values that are sent: there is no answer yet. */
  scope: Scope;
  later: readonly string[];
  spot: Spot;
}

/** A step as runs do it; undefined when what it calls is not known. */
export function compileStep(step: ArazzoStep, where: StepSurroundings): Step | undefined {
  const { workflow, workflowSpot, scope, spot } = where;
  if (!NAME.test(step.stepId)) spot.at('stepId').say("Ids of steps hold letters, digits, '-' and '_'.");
  const known = findOperation(step, where);
  if (!known) return undefined;
  const isHttp = known.operation.kind === 'http';
  const shared = { list: isHttp ? (workflow.parameters ?? []) : [], spot: workflowSpot.at('parameters') };
  const parameters = compileParameters({ list: step.parameters ?? [], spot: spot.at('parameters') }, shared, scope);
  checkAgainst(known, parameters, spot);
  const { contentType = 'application/json', payload, replacements } = step.requestBody ?? {};
  if (replacements)
    spot.at('requestBody', 'replacements').say("Replacements are not supported; expressions may stand anywhere in 'payload'.");
  if (payload !== undefined) checkValue(payload, scope, spot.at('requestBody', 'payload'));
  checkBody(known, contentType, payload, spot.at('requestBody'));
  const answered = { ...scope, answered: true };
  for (const [name, text] of Object.entries(step.outputs ?? {})) checkOutput(name, text, answered, spot.at('outputs', name));
  const after = (
    own: readonly ArazzoAction[] | undefined,
    field: 'onSuccess' | 'onFailure',
    common: 'successActions' | 'failureActions',
  ) => (own ? { actions: own, spot: spot.at(field) } : { actions: workflow[common] ?? [], spot: workflowSpot.at(common) });
  const success = after(step.onSuccess, 'onSuccess', 'successActions');
  const failure = after(step.onFailure, 'onFailure', 'failureActions');
  return {
    id: step.stepId,
    description: step.description ?? '',
    risk: riskOf(step, known, spot),
    operation: known.operation,
    parameters,
    payload,
    contentType,
    idempotencyHeader: idempotencyHeaderOf(step, known, spot),
    successCriteria: compileCriteria(step.successCriteria, answered, spot.at('successCriteria')),
    outputs: step.outputs ?? {},
    onSuccess: compileSuccess(success.actions, { ...where, scope: answered, spot: success.spot }),
    onFailure: compileFailure(failure.actions, { ...where, scope: answered, spot: failure.spot }),
  };
}

/** Checks what a step or a workflow answers. */
export function checkOutput(name: string, text: string, scope: Scope, spot: Spot): void {
  if (!NAME.test(name)) spot.say("Names of outputs hold letters, digits, '-' and '_'.");
  checkLone(text, scope, spot);
}

function findOperation({ operationId }: ArazzoStep, { operations, spot }: StepSurroundings): KnownOperation | undefined {
  if (operationId === undefined) {
    spot.say("A step names what it calls with 'operationId'; 'operationPath' and 'workflowId' are not supported.");
    return undefined;
  }
  const [, source, id = operationId] = QUALIFIED.exec(operationId) ?? [];
  const found = operations.filter((operation) => operation.id === id && (source === undefined || operation.source === source));
  if (found.length === 0) spot.at('operationId').say(`No source description has the operation '${operationId}'.`);
  if (found.length > 1)
    spot
      .at('operationId')
      .say(`Several operations are called '${id}'; say '$sourceDescriptions.<name>.${id}' with the source description it is of.`);
  return found.length === 1 ? found[0] : undefined;
}

/** What a step says of itself. Nobody else can know what a request that is no reading one does, so that has to be said. */
function riskOf(step: ArazzoStep, { operation }: KnownOperation, spot: Spot): Risk {
  const said = step['x-parley-risk'];
  if (said === undefined) {
    const reads = operation.kind === 'parley' || READING.has(operation.method);
    if (!reads) spot.say("'x-parley-risk' must say what this request does: read, write or irreversible.");
    return reads ? 'read' : 'irreversible';
  }
  const risk = RISKS.find((known) => known === said);
  if (risk === undefined) spot.at('x-parley-risk').say('It must be one of read, write, irreversible.');
  return risk ?? 'irreversible';
}

function idempotencyHeaderOf(step: ArazzoStep, { operation }: KnownOperation, spot: Spot): string | undefined {
  const said = step['x-parley-idempotency'];
  if (said === undefined) return undefined;
  const here = spot.at('x-parley-idempotency');
  if (typeof said !== 'string' || !isOwnHeader(said)) here.say('It must be the name of a header, such as Idempotency-Key.');
  else if (operation.kind === 'parley') here.say('What Parley does itself needs no header; it is done once anyway.');
  else return said;
  return undefined;
}
