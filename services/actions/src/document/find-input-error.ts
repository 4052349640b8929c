import { GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { compileSchema, type ErrorObject } from './json-schema.ts';

/** Compiled validators; the catalog keeps workflows, and their validators with them. */
const VALIDATORS = new WeakMap<Workflow, ReturnType<typeof compileSchema>>();

/**
 * Checks the input of a run. Returns a VALIDATION_ERROR for its first fault, whose param is the field (`input.city`, `input.items[0].sku`);
 * undefined for valid input.
 */
export function findInputError(workflow: Workflow, input: JsonValue): GatewayError | undefined {
  const validate = VALIDATORS.get(workflow) ?? compileSchema(workflow.inputs);
  VALIDATORS.set(workflow, validate);
  if (validate(input)) return undefined;
  const [error] = validate.errors ?? [];
  return error && refusal(error);
}

function refusal({ keyword, instancePath, params, message = 'is not valid' }: ErrorObject): GatewayError {
  const names = instancePath
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') return at([...names, String(params.missingProperty)], 'is required');
  if (keyword === 'additionalProperties') return at([...names, String(params.additionalProperty)], 'is not an input of this action');
  if (keyword === 'unevaluatedProperties') return at([...names, String(params.unevaluatedProperty)], 'is not an input of this action');
  if (keyword === 'enum')
    return at(names, `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`);
  return at(names, message);
}

function at(names: readonly string[], message: string): GatewayError {
  const param = names.reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`), 'input');
  return new GatewayError('VALIDATION_ERROR', `${param} ${message}`, { param });
}
