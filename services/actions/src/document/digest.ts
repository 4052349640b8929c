import { hash } from 'node:crypto';
import { type JsonValue } from '../domain/json.ts';

/** Returns the SHA-256 of a value, independent of whitespace and the order of members. */
export function computeDigest(value: JsonValue): Uint8Array {
  return hash('sha256', JSON.stringify(value, sorted), 'buffer');
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
