import { GatewayError } from '@parley/protos/errors';
import { hash, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { keyDigest, hasKeyFormat } from '../config/key-format.ts';
import { type OperatorKeyLimiter } from '../middleware/operator-key-limiter.ts';
import { EMPTY_PRINCIPAL, type Principal } from '../middleware/principal.ts';
import { readBearerToken } from '../middleware/read-bearer-token.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { type KeyRecord } from '../store/keys.ts';
import { type KeyCache } from './key-cache.ts';

/**
 * Returns the principal of a request; synchronously when the key is cached. Throws or rejects with an authentication error (401 or 403).
 */
export type Authenticate = (req: IncomingMessage) => Principal | Promise<Principal>;

/** Dependencies of authentication. */
export interface AuthenticateDeps {
  keys: KeyCache;
  /** Records that a key was used. */
  recordUse: (keyId: string) => void;
  operatorKey: string | undefined;
  /** Counts unknown keys by client address, and decides from which addresses the operator key is accepted. */
  operatorKeys: Pick<OperatorKeyLimiter, 'countUnknownKey' | 'allowsOperator'>;
}

const MAX_OPERATOR_KEY = 256;

/**
 * Returns the authentication of `/v1`: it accepts API keys of workspaces, and the operator key for operations that need no workspace (ADR
 * 0010).
 */
export function createAuthenticate({ keys, recordUse, operatorKey, operatorKeys }: AuthenticateDeps): Authenticate {
  const operatorDigest = operatorKey === undefined ? undefined : digestOf(operatorKey);

  function isOperator(req: IncomingMessage, token: string): boolean {
    const isKey = operatorDigest !== undefined && token.length <= MAX_OPERATOR_KEY && timingSafeEqual(digestOf(token), operatorDigest);
    return isKey && operatorKeys.allowsOperator(req);
  }

  function unknownKey(req: IncomingMessage): GatewayError {
    operatorKeys.countUnknownKey(req);
    return invalidKey();
  }

  return (req) => {
    const token = keyOf(req);
    if (!hasKeyFormat(token)) {
      if (isOperator(req, token)) return note(req, operator(req));
      throw unknownKey(req);
    }
    const found = keys.get(keyDigest(token));
    if (found && !(found instanceof Promise)) return note(req, accept(req, found, recordUse));
    // Only a token that is not in the cache can be the operator key.
    if (isOperator(req, token)) {
      if (found) found.catch(() => undefined);
      return note(req, operator(req));
    }
    if (found === null) throw unknownKey(req);
    return found.then((key) => {
      if (!key) throw unknownKey(req);
      return note(req, accept(req, key, recordUse));
    });
  };
}

function accept(req: IncomingMessage, key: KeyRecord, used: (keyId: string) => void): Principal {
  assertUsable(key, Date.now());
  used(key.keyId);
  const { id, span } = getRequestContext(req);
  return {
    workspaceId: key.workspaceId,
    keyId: key.keyId,
    userId: key.userId,
    scopes: key.scopes,
    requestId: id,
    span,
    operator: false,
    maxConcurrency: key.maxConcurrency,
    project: key.project,
    quotas: key.quotas,
  };
}

/** Rejects a key that is revoked or expired, or whose user or workspace is not active. */
function assertUsable(key: KeyRecord, now: number): void {
  if (key.revokedAt) throw new GatewayError('REVOKED_API_KEY', 'the API key has been revoked');
  if (key.expiresAt && key.expiresAt.getTime() <= now) throw new GatewayError('EXPIRED_API_KEY', 'the API key has expired');
  if (key.userStatus !== 'active') throw new GatewayError('USER_NOT_ACTIVE', 'the user of this API key is disabled');
  if (key.workspaceStatus !== 'active') throw new GatewayError('WORKSPACE_DISABLED', 'the workspace is disabled');
}

function operator(req: IncomingMessage): Principal {
  const { id, span } = getRequestContext(req);
  return { ...EMPTY_PRINCIPAL, requestId: id, span, operator: true };
}

function note(req: IncomingMessage, principal: Principal): Principal {
  getRequestContext(req).principal = principal;
  return principal;
}

function keyOf(req: IncomingMessage): string {
  const token = readBearerToken(req);
  if (token === undefined) throw new GatewayError('MISSING_API_KEY', 'send the API key as Authorization: Bearer <key>');
  if (token === null) throw invalidKey();
  return token;
}

function invalidKey(): GatewayError {
  return new GatewayError('INVALID_API_KEY', 'the API key is not valid');
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
