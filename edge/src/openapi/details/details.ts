/** Description and examples of an operation, in addition to its route. A test checks the examples against their schemas. */
export interface OperationDetails {
  /** Description of the operation, in Markdown. */
  description: string;
  /** Examples of the request body, or of the fields of a form. */
  request?: unknown;
  /** Examples of the JSON response body. */
  response?: unknown;
  /** Examples of a response body that is text. */
  text?: string;
  /** Examples of stream events, by what they show. */
  events?: Readonly<Record<string, { summary: string; value: unknown }>>;
}

/** The details by operation id. */
export type DetailsByOperationId = Readonly<Record<string, OperationDetails>>;
