import { type JsonValue } from '../domain/json.ts';

const INDEX = /^(?:0|[1-9]\d*)$/;

/** Returns the value at a JSON Pointer (RFC 6901); undefined when there is none, or when the text is not a pointer. */
export function resolvePointer(value: JsonValue, pointer: string): JsonValue | undefined {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let found: JsonValue | undefined = value;
  for (const token of pointer.slice(1).split('/')) found = findJsonMember(found, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return found;
}

/** Returns an own member of an object, or an item of a list by its index; undefined when it does not exist. */
export function findJsonMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return INDEX.test(name) ? (value as readonly JsonValue[])[Number(name)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, JsonValue>>)[name];
}

/** Escapes a name for use in a JSON Pointer. */
export function escapeToken(name: string | number): string {
  return String(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
