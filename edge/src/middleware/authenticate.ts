import { hash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { type KeyCache } from '../keys/key-cache.ts';
import { keyDigest, looksLikeKey } from '../keys/key-format.ts';
import { assertUsable, type KeyRecord } from '../keys/key-record.ts';
import { type Principal } from './principal.ts';
import { contextOf } from './request-context.ts';

/** Resolves who asks; synchronously when the key is cached. Throws, or rejects with, an authentication error of spec §5. */
export type Authenticate = (req: IncomingMessage) => Principal | Promise<Principal>;

/** What authentication rests on. */
export interface AuthenticateDeps {
  keys: KeyCache;
  /** Notes that a key was used. */
  used: (keyId: string) => void;
  operatorKey: string | undefined;
}

const MAX_OPERATOR_KEY = 256;
const BEARER = /^Bearer +([^\s]+)$/i;

/** Builds the authentication of every door: API keys of workspaces, and the operator's key. */
export function createAuthenticate({ keys, used, operatorKey }: AuthenticateDeps): Authenticate {
  const operatorDigest = operatorKey === undefined ? undefined : digestOf(operatorKey);

  function isOperator(token: string): boolean {
    return operatorDigest !== undefined && token.length <= MAX_OPERATOR_KEY && timingSafeEqual(digestOf(token), operatorDigest);
  }

  return (req) => {
    const token = bearerToken(req);
    if (!looksLikeKey(token)) {
      if (isOperator(token)) return note(req, operator(req));
      throw invalidKey();
    }
    const found = keys.get(keyDigest(token));
    if (found && !(found instanceof Promise)) return note(req, accept(req, found, used));
    // Only a key that is not cached can be the operator's.
    if (isOperator(token)) {
      if (found) found.catch(() => undefined);
      return note(req, operator(req));
    }
    if (found === null) throw invalidKey();
    return found.then((key) => {
      if (!key) throw invalidKey();
      return note(req, accept(req, key, used));
    });
  };
}

function accept(req: IncomingMessage, key: KeyRecord, used: (keyId: string) => void): Principal {
  assertUsable(key, Date.now());
  used(key.keyId);
  return {
    workspaceId: key.workspaceId,
    keyId: key.keyId,
    userId: key.userId,
    scopes: key.scopes,
    requestId: contextOf(req).id,
    operator: false,
    maxConcurrency: key.maxConcurrency,
    project: key.project,
    quotas: key.quotas,
  };
}

function operator(req: IncomingMessage): Principal {
  return { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: contextOf(req).id, operator: true, project: '', quotas: [] };
}

function note(req: IncomingMessage, principal: Principal): Principal {
  contextOf(req).principal = principal;
  return principal;
}

function bearerToken(req: IncomingMessage): string {
  const header = req.headers.authorization;
  if (header === undefined) throw new GatewayError('MISSING_API_KEY', 'send the API key as Authorization: Bearer <key>');
  // Node keeps the first of two; which one was meant is not ours to guess.
  if (countOf(req, 'authorization') > 1) throw new GatewayError('INVALID_REQUEST', 'two Authorization headers', { param: 'Authorization' });
  const token = header.startsWith('Bearer ') ? header.slice(7) : undefined;
  if (token !== undefined && !token.includes(' ')) return token;
  const match = BEARER.exec(header);
  if (!match?.[1]) throw invalidKey();
  return match[1];
}

function countOf(req: IncomingMessage, name: string): number {
  let count = 0;
  const raw = req.rawHeaders;
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i] as string;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}

function invalidKey(): GatewayError {
  return new GatewayError('INVALID_API_KEY', 'the API key is not valid');
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
