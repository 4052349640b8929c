import { type JsonValue } from '../domain/json.ts';

/** Maximum nesting depth of a document, and maximum length of its lists. */
const MAX_DEPTH = 64;
const MAX_ITEMS = 1_000;

/** Returns a message when a document exceeds the limits, as checking it would take too long; undefined when it does not. */
export function findExceededLimit(document: JsonValue): string | undefined {
  const waiting: (readonly [JsonValue, number])[] = [[document, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return `The document is nested more than ${MAX_DEPTH} deep.`;
    const members = Object.values(value) as readonly JsonValue[];
    if (Array.isArray(value) && members.length > MAX_ITEMS) return `A list of the document has more than ${MAX_ITEMS} items.`;
    for (const member of members) waiting.push([member, depth + 1]);
  }
  return undefined;
}
