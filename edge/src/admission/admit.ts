import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { NO_RIGHTS } from '../config/roles.ts';
import { hasPermissionAnywhere, type Permission } from '../identity/permissions.ts';
import { permissionDenied } from '../identity/require-permission.ts';
import { requireSameOrigin, isSafeMethod } from '../identity/same-origin.ts';
import { setDeprecationHeaders } from '../middleware/deprecation.ts';
import { EMPTY_PRINCIPAL, type Principal, requireScope } from '../middleware/principal.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type RequestGuards } from './request-guards.ts';

/** The fields of a route that `admit` reads. */
type AdmissionRules = Pick<
  RouteSpec,
  | 'access'
  | 'permission'
  | 'allowsWithoutSecondFactor'
  | 'mirrors'
  | 'scope'
  | 'throttle'
  | 'throttleCondition'
  | 'limitsConcurrency'
  | 'deprecated'
>;

type AdmissionGuards = Pick<
  RequestGuards,
  'authenticate' | 'sessions' | 'personalKeys' | 'adminAccess' | 'publicUrl' | 'throttle' | 'concurrency'
>;

/**
 * Admits a request and returns its principal, or throws. The order below is the same for the operations behind Express and for chat:
 *
 * 1. the request id, the check of the request head and the refusal while draining (`http/dispatcher.ts`, before this function)
 * 2. the deprecation headers, so that refusals carry them too
 * 3. authentication: by key, by login session with its CSRF token, or by a token of the control plane; a person who uses an operation of
 *    `/v1` continues as the caller of the workspace that the request chooses
 * 4. the scope of the operation, or its permission in at least one workspace (`requirePermission` checks the workspace once the input is
 *    known)
 * 5. the throttle of the operation by client address
 * 6. the concurrent requests of the workspace
 * 7. the body and its validation, then the quotas (the caller, after this function)
 *
 * When the key is cached and the counters are in this process, it takes one microtask and does not wait for I/O.
 * @throws GatewayError an authentication error, SECOND_FACTOR_REQUIRED, PERMISSION_DENIED, MISSING_SCOPE, TENANT_ACCESS_DENIED, a rate
 * limit, or CANCELLED
 */
export async function admit(rules: AdmissionRules, guards: AdmissionGuards, req: IncomingMessage, res: ServerResponse): Promise<Principal> {
  if (rules.deprecated) setDeprecationHeaders(rules.deprecated, res);
  const authenticated = authenticate(rules, guards, req, res);
  const principal = authenticated instanceof Promise ? await authenticated : authenticated;
  if (rules.access === 'key' && rules.scope) requireScope(principal, rules.scope);
  if (rules.permission) requireSomewhere(principal, rules.permission);
  const throttled = rules.throttle && guards.throttle(rules.throttle, req, res, rules.throttleCondition);
  if (throttled) await throttled;
  if (rules.limitsConcurrency) guards.concurrency.enter(principal, res);
  return principal;
}

function authenticate(
  rules: AdmissionRules,
  guards: AdmissionGuards,
  req: IncomingMessage,
  res: ServerResponse,
): Principal | Promise<Principal> {
  switch (rules.access) {
    case 'key':
      return guards.authenticate(req);
    case 'session':
      // A shared cache does not store answers to requests with an Authorization header (RFC 9111, section 3.5); for cookies it needs this
      // header.
      res.setHeader('Cache-Control', 'private, no-store');
      return authenticatePerson(rules, guards, req);
    case 'admin':
      return guards.adminAccess.authenticate(req);
    case 'visitor':
      if (!isSafeMethod(req.method)) requireSameOrigin(req, guards);
      return anonymous(req);
    case 'public':
    case 'provider':
      return anonymous(req);
  }
}

function anonymous(req: IncomingMessage): Principal {
  const { id, span } = getRequestContext(req);
  return { ...EMPTY_PRINCIPAL, requestId: id, span };
}

async function authenticatePerson(rules: AdmissionRules, guards: AdmissionGuards, req: IncomingMessage): Promise<Principal> {
  const principal = await guards.sessions.authenticate(req);
  const { session } = principal;
  if (session?.requiresSecondFactor && !session.isStrong && !rules.allowsWithoutSecondFactor) {
    throw new GatewayError('SECOND_FACTOR_REQUIRED', 'set up a second factor first');
  }
  return rules.mirrors && rules.permission ? guards.personalKeys.resolveCaller(principal, rules.permission, req) : principal;
}

/** Rejects a principal that has the permission in no workspace, before the input is read. @throws GatewayError PERMISSION_DENIED */
function requireSomewhere({ actor }: Principal, permission: Permission): void {
  if (!hasPermissionAnywhere(actor?.rights ?? NO_RIGHTS, permission)) throw permissionDenied(permission);
}
