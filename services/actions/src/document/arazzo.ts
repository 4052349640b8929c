import { type JsonObject, type JsonValue } from '../domain/json.ts';

/** An Arazzo 1.0 document that is valid by the official schema, with the fields that actions use. */
export interface ArazzoDocument {
  info: { title: string; summary?: string; description?: string };
  sourceDescriptions: readonly ArazzoSource[];
  workflows: readonly ArazzoWorkflow[];
  components?: JsonObject;
  'x-parley-slug'?: JsonValue;
  'x-parley-connection'?: JsonValue;
}

/** A source description: the document that describes operations. */
export interface ArazzoSource {
  name: string;
  url: string;
  type?: 'arazzo' | 'openapi';
}

/** A workflow: inputs, steps and outputs. */
export interface ArazzoWorkflow {
  summary?: string;
  description?: string;
  inputs?: JsonValue;
  dependsOn?: readonly string[];
  steps: readonly ArazzoStep[];
  parameters?: readonly ArazzoParameter[];
  successActions?: readonly ArazzoAction[];
  failureActions?: readonly ArazzoAction[];
  outputs?: Readonly<Record<string, string>>;
}

/** A step of a workflow: one call of an operation. */
export interface ArazzoStep {
  stepId: string;
  description?: string;
  operationId?: string;
  parameters?: readonly ArazzoParameter[];
  requestBody?: { contentType?: string; payload?: JsonValue; replacements?: readonly JsonValue[] };
  successCriteria?: readonly ArazzoCriterion[];
  onSuccess?: readonly ArazzoAction[];
  onFailure?: readonly ArazzoAction[];
  outputs?: Readonly<Record<string, string>>;
  'x-parley-risk'?: JsonValue;
  'x-parley-idempotency'?: JsonValue;
}

/** A parameter, or a reference to one. */
export interface ArazzoParameter {
  reference?: string;
  name?: string;
  in?: string;
  value?: JsonValue;
}

/** A criterion of a step's success or of an action. */
export interface ArazzoCriterion {
  condition: string;
  context?: string;
  type?: JsonValue;
}

/** A success or failure action: what follows a step, or a reference to it. */
export interface ArazzoAction {
  reference?: string;
  name?: string;
  type?: 'end' | 'goto' | 'retry';
  workflowId?: string;
  stepId?: string;
  retryAfter?: number;
  retryLimit?: number;
  criteria?: readonly ArazzoCriterion[];
}
