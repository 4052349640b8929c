import { MAX_IDEMPOTENCY_KEY_LENGTH } from '@parley/kit/ids/idempotency-key';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** Longest value of the headers `X-Service-*` and `Idempotency-Key`, in characters. */
export const MAX_HEADER_LENGTH = MAX_IDEMPOTENCY_KEY_LENGTH;
const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * Returns the value of an `X-Service-*` or `Idempotency-Key` header; empty when it is absent. `name` is spelled as errors show it.
 * @throws GatewayError VALIDATION_ERROR naming the header, unless it is 1 to 255 visible ASCII characters
 */
export function readHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[toKey(name)];
  if (value === undefined || value === '') return '';
  if (typeof value === 'string' && value.length <= MAX_HEADER_LENGTH && VISIBLE.test(value)) return value;
  throw new GatewayError('VALIDATION_ERROR', `${name} must be 1 to ${MAX_HEADER_LENGTH} visible ASCII characters`, { param: name });
}

/**
 * Rejects a request that has one of these headers more than once: Node joins the values into one that the client has not sent.
 * @throws GatewayError VALIDATION_ERROR naming the header
 */
export function requireSingleHeaders(
  { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  names: readonly string[],
): void {
  for (const name of names) {
    const key = toKey(name);
    const value = headers[key];
    if (value?.includes(',') && countHeader(rawHeaders, key) > 1) {
      throw new GatewayError('VALIDATION_ERROR', `${name}: given more than once`, { param: name });
    }
  }
}

const KEYS = new Map<string, string>();

/** The name in lower case, as Node spells header keys; cached, because only a few names are used. */
function toKey(name: string): string {
  let key = KEYS.get(name);
  if (key === undefined) KEYS.set(name, (key = name.toLowerCase()));
  return key;
}

/** Counts how often a request has a header; `name` is in lower case. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
