import { type JsonObject } from '../domain/json.ts';
import { type StepResponse } from '../domain/step-response.ts';

/** The values that runtime expressions of a run refer to. */
export interface EvaluationContext {
  inputs: JsonObject;
  /** Outputs of the steps that have succeeded, by step id. */
  steps: Readonly<Record<string, JsonObject>>;
  /** The response of the step whose criteria and outputs are evaluated; undefined before the request is sent, and for the outputs of the workflow. */
  response: StepResponse | undefined;
}
