import { type JsonObject } from '../domain/json.ts';
import { type StepResponse } from '../domain/step-response.ts';

/** What runtime expressions of a run are looked up in. */
export interface EvaluationContext {
  inputs: JsonObject;
  /** Outputs of the steps that have succeeded, by step id. */
  steps: Readonly<Record<string, JsonObject>>;
  /** Answer of the step whose criteria and outputs are looked at; there is none before it is sent, and none for the outputs of the workflow. */
  response: StepResponse | undefined;
}
