import { type JsonValue } from './json.ts';

/**
 * The response that criteria and outputs of a step are evaluated against (`$statusCode`, `$response.header.…`, `$response.body#/…`).
 * Contains no secrets.
 */
export interface StepResponse {
  statusCode: number;
  /** Response headers by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: JsonValue;
}
