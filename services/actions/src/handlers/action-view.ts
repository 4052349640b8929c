import { type Action, type ActionInput } from '@parley/protos/actions/v1/actions';
import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { type Workflow } from '../domain/workflow.ts';
import { type StoredAction } from '../store/actions.ts';

/** Converts a stored action to its message. */
export function toAction({ slug, status, version, workflow, publishedAt, createdAt }: StoredAction): Action {
  const { title, description, risk, requiresConnection, steps, outputs } = workflow;
  return {
    ...{ slug, title, description, version, status, risk, requiresConnection, publishedAt, createdAt },
    inputs: toActionInputs(workflow),
    outputs: Object.keys(outputs),
    stepCount: steps.length,
  };
}

function toActionInputs({ inputs: { properties = {}, required = [] }, fileInputs }: Workflow): ActionInput[] {
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).map(([name, { type = '', description = '' }]) => ({
    name,
    type: fileInputs.includes(name) ? 'file' : toType(type),
    required: (required as readonly JsonValue[]).includes(name),
    description: typeof description === 'string' ? description : '',
  }));
}

/** Returns the first type that is not null; empty without one. */
function toType(type: JsonValue): string {
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  return types.find((one): one is string => typeof one === 'string' && one !== 'null') ?? '';
}
