import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { countHeader } from './read-header.ts';

const BEARER = /^Bearer +([^\s]+)$/i;

/**
 * Returns the token of `Authorization: Bearer <token>`; undefined without the header, null when it has another form.
 * @throws GatewayError INVALID_REQUEST for two headers
 */
export function readBearerToken(req: IncomingMessage): string | null | undefined {
  const header = req.headers.authorization;
  if (header === undefined) return undefined;
  // Node keeps the first of two headers; the client may have meant the second.
  if (countHeader(req.rawHeaders, 'authorization') > 1)
    throw new GatewayError('INVALID_REQUEST', 'two Authorization headers', { param: 'Authorization' });
  const token = header.startsWith('Bearer ') ? header.slice(7) : undefined;
  if (token !== undefined && !token.includes(' ')) return token;
  return BEARER.exec(header)?.[1] ?? null;
}
