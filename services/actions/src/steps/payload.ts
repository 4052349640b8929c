import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { invalidStepError } from './step-errors.ts';

/** Returns the payload of a step that requires one. @throws StepError without effect when it is not an object */
export function requireObjectPayload(payload: JsonValue | undefined): JsonObject {
  if (isObject(payload)) return payload;
  throw invalidStepError('the payload of the step must be an object');
}

/** Reads a text of a payload. @throws StepError without effect when it is not a text, or missing without a fallback */
export function requireTextField(payload: JsonObject, name: string, fallback?: string): string {
  const value = payload[name] ?? fallback;
  if (typeof value === 'string') return value;
  throw invalidStepError(`${name} of the step's payload must be a text`);
}

/** Reads the asset id of a file input, given as the input itself or as an id. @throws StepError without effect when it is missing */
export function requireAssetId(payload: JsonObject, name: string): string {
  const value = payload[name];
  const id = isObject(value) ? value['asset_id'] : value;
  if (typeof id === 'string' && id !== '') return id;
  throw invalidStepError(`${name} of the step's payload must be a file input`);
}

/** Whether a value is an object and not a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
