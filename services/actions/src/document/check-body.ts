import { type JsonValue } from '../domain/json.ts';
import { type BuiltIn } from '../domain/workflow.ts';
import { member } from '../expressions/json-pointer.ts';
import { type KnownOperation } from './sources.ts';
import { type Spot } from './spot.ts';

/** What functions cannot do without. */
const NEEDED: Readonly<Record<BuiltIn, readonly string[]>> = {
  chat: ['messages'],
  speak: ['input'],
  transcribe: ['file'],
  extractText: ['file'],
  render: ['text'],
  select: ['from', 'path'],
};
/** What can be sent: JSON, a form, or a text. */
const SENDABLE = /^(?:application\/(?:json|[a-z0-9.-]+\+json|x-www-form-urlencoded)|text\/[a-z0-9.+-]+)(?:;.*)?$/i;

/** Checks that what a step sends can be sent, and that a function gets what it needs. */
export function checkBody({ id, operation }: KnownOperation, contentType: string, payload: JsonValue | undefined, spot: Spot): void {
  if (operation.kind === 'http') {
    if (!SENDABLE.test(contentType)) spot.at('contentType').say('Steps send JSON, forms (application/x-www-form-urlencoded) and texts.');
    return;
  }
  for (const name of NEEDED[operation.name]) {
    if (member(payload, name) === undefined) spot.say(`'${id}' needs '${name}' in its payload.`);
  }
}
