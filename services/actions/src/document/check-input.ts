import { GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';

/** What is wrong with the input of a run: a VALIDATION_ERROR whose param names the field (`input.city`, `input.items[0].sku`), for its first fault. */
export function checkInput(_workflow: Workflow, _input: JsonValue): GatewayError | undefined {
  throw new GatewayError('NOT_IMPLEMENTED', 'inputs cannot be checked yet');
}
