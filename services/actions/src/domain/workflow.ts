import { type JsonObject, type JsonValue } from './json.ts';

/** The risk of a step (`x-parley-risk`): no effect, a reversible effect, an irreversible effect. */
export type Risk = 'read' | 'write' | 'irreversible';

/** A published version of an action, compiled from its Arazzo document: nothing in it has to be looked up again. Plain JSON. */
export interface Workflow {
  /** `x-parley-slug` of the document. */
  slug: string;
  title: string;
  description: string;
  /** Of its riskiest step. */
  risk: Risk;
  /** Whether steps need the credentials of a connection (`x-parley-connection`). */
  requiresConnection: boolean;
  /** JSON Schema 2020-12 of the input; a file input is `{"type":"object","properties":{"asset_id":…}}` there. */
  inputs: JsonObject;
  /** Names of the inputs that are files (`x-parley-asset`). */
  fileInputs: readonly string[];
  steps: readonly Step[];
  /** Names of what a run answers to runtime expressions. */
  outputs: Readonly<Record<string, string>>;
}

/** One step. Strings in `parameters` and `payload` may hold runtime expressions, alone or as `{$…}` inside a text. */
export interface Step {
  id: string;
  description: string;
  risk: Risk;
  operation: Operation;
  parameters: readonly Parameter[];
  payload: JsonValue | undefined;
  contentType: string;
  /** Header that carries run id and step id (`x-parley-idempotency`), so that the other side does the step once however often it is sent. */
  idempotencyHeader: string | undefined;
  /** All of them must hold; none: the status code is 2xx. */
  successCriteria: readonly Criterion[];
  outputs: Readonly<Record<string, string>>;
  onSuccess: readonly SuccessAction[];
  onFailure: readonly FailureAction[];
}

/** What a step calls: an operation of a declared OpenAPI source, or something that the gateway does itself. */
export type Operation =
  | { kind: 'http'; method: string; /** Server and path, with `{name}` for path parameters. */ url: string }
  | { kind: 'parley'; name: BuiltIn };

/** What the gateway does itself: operations of the source description `parley` (`parley:functions`). */
export type BuiltIn = (typeof BUILT_INS)[number];

/**
 * `chat`: a turn (payload: model, messages; body: the completion). `speak`: a speech job, waited for (payload: input, voice; body: the job, and where its
 * audio is). `transcribe`: a file input as text. `extractText`: what a file input says. `render`: a text with its expressions filled in.
 * `select`: what a JSONPath finds.
 */
export const BUILT_INS = ['chat', 'speak', 'transcribe', 'extractText', 'render', 'select'] as const;

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  value: JsonValue;
}

/** Arazzo's criteria of the types `simple`, `regex` and `jsonpath`. */
export interface Criterion {
  type: 'simple' | 'regex' | 'jsonpath';
  condition: string;
  /** Runtime expression of what a regex or a JSONPath looks at. */
  context: string | undefined;
}

/** What follows a step that succeeded. */
export interface SuccessAction {
  type: 'end' | 'goto';
  stepId: string | undefined;
  criteria: readonly Criterion[];
}

/** What follows a step that failed. */
export interface FailureAction {
  type: 'end' | 'goto' | 'retry';
  stepId: string | undefined;
  /** Seconds. */
  retryAfter: number;
  retryLimit: number;
  criteria: readonly Criterion[];
}
