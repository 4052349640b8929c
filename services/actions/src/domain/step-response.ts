import { type JsonValue } from './json.ts';

/** The response that criteria and outputs of a step are evaluated against (`$statusCode`, `$response.header.…`, `$response.body#/…`). Holds no secrets. */
export interface StepResponse {
  statusCode: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: JsonValue;
}
