import { type JsonValue } from '../domain/json.ts';
import { type BuiltInFunction } from '../domain/workflow.ts';
import { findJsonMember } from '../expressions/json-pointer.ts';
import { type FindingReporter } from './finding-reporter.ts';
import { type CallableOperation } from './list-operations.ts';

/** Required fields of the payload of each built-in function. */
const NEEDED: Readonly<Record<BuiltInFunction, readonly string[]>> = {
  chat: ['messages'],
  speak: ['input'],
  transcribe: ['file'],
  extractText: ['file'],
  render: ['text'],
  select: ['from', 'path'],
};
/** Content types that can be sent: JSON, forms and texts. */
const SENDABLE = /^(?:application\/(?:json|[a-z0-9.-]+\+json|x-www-form-urlencoded)|text\/[a-z0-9.+-]+)(?:;.*)?$/i;

/**
 * Checks that the content type of a step can be sent, and that a built-in function gets its required fields. Reports findings at
 * `location`.
 */
export function checkBody(
  { id, operation }: CallableOperation,
  contentType: string,
  payload: JsonValue | undefined,
  location: FindingReporter,
): void {
  if (operation.kind === 'http') {
    if (!SENDABLE.test(contentType))
      location.at('contentType').report('Steps send JSON, forms (application/x-www-form-urlencoded) and texts.');
    return;
  }
  for (const name of NEEDED[operation.name]) {
    if (findJsonMember(payload, name) === undefined) location.report(`'${id}' needs '${name}' in its payload.`);
  }
}
