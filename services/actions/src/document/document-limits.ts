import { type JsonValue } from '../domain/json.ts';

/** How deep values of a document stand in each other, and how long its lists are, at most. */
const MAX_DEPTH = 64;
const MAX_ITEMS = 1_000;

/** Why a document is not looked at any closer, as that would take too long; undefined when it will be. */
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
