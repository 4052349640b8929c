import { type JsonObject, type JsonValue } from './json.ts';

/** The risk of a step (`x-parley-risk`): no effect, a reversible effect, an irreversible effect. */
export type Risk = 'read' | 'write' | 'irreversible';

/** A published version of an action, compiled from its Arazzo document, with all references resolved. Plain JSON. */
export interface Workflow {
  /** `x-parley-slug` of the document. */
  slug: string;
  title: string;
  description: string;
  /** The highest risk of its steps. */
  risk: Risk;
  /** Whether steps need the credentials of a connection (`x-parley-connection`). */
  requiresConnection: boolean;
  /** JSON Schema 2020-12 of the input; a file input is `{"type":"object","properties":{"asset_id":…}}` there. */
  inputs: JsonObject;
  /** Names of the inputs that are files (`x-parley-asset`). */
  fileInputs: readonly string[];
  steps: readonly Step[];
  /** Outputs of a run: runtime expressions by name. */
  outputs: Readonly<Record<string, string>>;
}

/** One step. Strings in `parameters` and `payload` may contain runtime expressions, alone or as `{$…}` inside a text. */
export interface Step {
  id: string;
  description: string;
  risk: Risk;
  operation: Operation;
  parameters: readonly Parameter[];
  payload: JsonValue | undefined;
  contentType: string;
  /**
   * Name of the header that carries run id and step id (`x-parley-idempotency`), so that the API executes the step once however often it is
   * sent.
   */
  idempotencyHeader: string | undefined;
  /** All of them must be met; an empty list means that the status code is 2xx. */
  successCriteria: readonly Criterion[];
  outputs: Readonly<Record<string, string>>;
  onSuccess: readonly SuccessAction[];
  onFailure: readonly FailureAction[];
}

/** What a step calls: an operation of a declared OpenAPI source, or a built-in function. */
export type Operation =
  | { kind: 'http'; method: string; /** Server and path, with `{name}` for path parameters. */ url: string }
  | { kind: 'parley'; name: BuiltInFunction };

/** A built-in function: an operation of the source description `parley` (`parley:functions`). */
export type BuiltInFunction = (typeof BUILT_IN_FUNCTIONS)[number];

/**
 * `chat`: a turn (payload: model, messages; body: the completion). `speak`: a speech job, until it ends (payload: input, voice; body: the
 * job and the address of its audio). `transcribe`: the transcript of a file input. `extractText`: the text of a file input. `render`: a
 * text with its expressions resolved. `select`: the values that a JSONPath selects.
 */
export const BUILT_IN_FUNCTIONS = ['chat', 'speak', 'transcribe', 'extractText', 'render', 'select'] as const;

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  value: JsonValue;
}

/** A criterion of Arazzo, of the type `simple`, `regex` or `jsonpath`. */
export interface Criterion {
  type: 'simple' | 'regex' | 'jsonpath';
  condition: string;
  /** Runtime expression of the value to which a regex or a JSONPath is applied. */
  context: string | undefined;
}

/** An action after a step that succeeded. */
export interface SuccessAction {
  type: 'end' | 'goto';
  stepId: string | undefined;
  criteria: readonly Criterion[];
}

/** An action after a step that failed. */
export interface FailureAction {
  type: 'end' | 'goto' | 'retry';
  stepId: string | undefined;
  /** Delay before the retry, in seconds. */
  retryAfter: number;
  retryLimit: number;
  criteria: readonly Criterion[];
}
