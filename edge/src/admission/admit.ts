import { type IncomingMessage, type ServerResponse } from 'node:http';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { announceDeprecation } from '../middleware/deprecation.ts';
import { type Principal, requireScope } from '../middleware/principal.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type RequestGuards } from './request-guards.ts';

/** What a row of the route table says about admission. */
type AdmissionRules = Pick<RouteSpec, 'access' | 'scope' | 'throttle' | 'throttledAs' | 'limitsConcurrency' | 'deprecated'>;

type AdmissionGuards = Pick<RequestGuards, 'authenticate' | 'operatorKeys' | 'throttle' | 'concurrency'>;

const ANONYMOUS: Principal = {
  workspaceId: '',
  keyId: '',
  userId: '',
  scopes: [],
  requestId: '',
  operator: false,
  project: '',
  quotas: [],
};

/**
 * Admits a request or rejects it. This is the one definition of the order, for the operations behind Express and for chat:
 *
 * 1. the request id, the check of the request head and the refusal while draining (`http/dispatcher.ts`, before this function)
 * 2. the deprecation headers, so that refusals carry them too
 * 3. authentication; on the operator's surface with the limit of wrong keys for each client address
 * 4. the scope of the operation, or the operator's key
 * 5. the throttle of the operation by client address
 * 6. the concurrent requests of the workspace
 * 7. the body and its validation, then the quotas (the caller, after this function)
 *
 * It does not yield where the key is cached and the counters are in this process, apart from the one microtask of its promise.
 * @throws GatewayError an authentication error, MISSING_SCOPE, TENANT_ACCESS_DENIED, a rate limit, or CANCELLED
 */
export async function admit(rules: AdmissionRules, guards: AdmissionGuards, req: IncomingMessage, res: ServerResponse): Promise<Principal> {
  if (rules.deprecated) announceDeprecation(rules.deprecated, res);
  const authenticated = authenticate(rules, guards, req);
  const principal = authenticated instanceof Promise ? await authenticated : authenticated;
  if (rules.access === 'key' && rules.scope) requireScope(principal, rules.scope);
  const throttled = rules.throttle && guards.throttle(rules.throttle, req, res, rules.throttledAs);
  if (throttled) await throttled;
  if (rules.limitsConcurrency) guards.concurrency.enter(principal, res);
  return principal;
}

function authenticate({ access }: AdmissionRules, guards: AdmissionGuards, req: IncomingMessage): Principal | Promise<Principal> {
  if (access === 'public') return { ...ANONYMOUS, requestId: getRequestContext(req).id };
  return access === 'operator' ? authenticateOperator(guards, req) : guards.authenticate(req);
}

async function authenticateOperator({ authenticate: find, operatorKeys }: AdmissionGuards, req: IncomingMessage): Promise<Principal> {
  operatorKeys.admit(req);
  try {
    const principal = await find(req);
    if (!principal.operator) throw new GatewayError('TENANT_ACCESS_DENIED', 'this operation needs the operator key');
    return principal;
  } catch (error) {
    if (toGatewayError(error).condition === 'INVALID_API_KEY') operatorKeys.record(req);
    throw error;
  }
}
