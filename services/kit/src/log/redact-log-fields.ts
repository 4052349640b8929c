import { isError, serializeError } from './error-serializer.ts';

const CENSORED = '[redacted]';
const DEPTH = 4;

const SECRET_NAMES = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'password', 'passphrase', 'secret', 'secrets', 'credentials'],
  ...['apikey', 'xapikey', 'key', 'masterkey', 'encryptionkey', 'token', 'accesstoken', 'refreshtoken', 'idtoken', 'sessiontoken'],
  ...['content', 'messages', 'prompt', 'body', 'databaseurl', 'natsurl'],
]);

const known = new Map<string, boolean>();

/**
 * Returns a copy of log fields with the values of secret names replaced and errors serialized, four levels deep; the same object when
 * nothing changes. It matches names and not paths as pino does, because a path covers one place and a field may appear in any.
 */
export function redactLogFields(fields: Record<string, unknown>): Record<string, unknown> {
  return walk(fields, DEPTH);
}

function walk(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    const clean = isSecret(name) && value != null ? CENSORED : cleaned(value, depth);
    if (clean !== value) (copy ??= { ...fields })[name] = clean;
  }
  return copy ?? fields;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isError(value)) return serializeError(value);
  if (depth <= 1) return value;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth - 1));
  return isPlain(value) ? walk(value, depth - 1) : value;
}

/**
 * Whether a field name is secret. Names come from our code, so there are few; the cache is bounded nevertheless, in case a name is derived
 * from input.
 */
function isSecret(name: string): boolean {
  let secret = known.get(name);
  if (secret === undefined) {
    secret = SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
    if (known.size < 1_000) known.set(name, secret);
  }
  return secret;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
