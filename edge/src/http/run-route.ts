import { type IncomingMessage, type ServerResponse } from 'node:http';
import { GatewayError } from '@parley/protos/errors';
import { type Authenticate } from '../middleware/authenticate.ts';
import { readJson } from '../middleware/body.ts';
import { countRefusal } from '../middleware/count-refusal.ts';
import { announceDeprecation, withDeprecation } from '../middleware/deprecation.ts';
import { sendJson } from '../middleware/errors.ts';
import { type Principal, requireScope } from '../middleware/principal.ts';
import { contextOf } from '../middleware/request-context.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { parseQuery, validate } from '../middleware/validate.ts';
import { type WorkspaceBound } from '../middleware/workspace-bound.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { ANSWERED, type Input, type Route } from '../routes/route.ts';

/** The doors every operation goes through. */
export interface Doors {
  authenticate: Authenticate;
  throttle: Throttle;
  /** Bounds what a workspace has under way. */
  workspaces: WorkspaceBound;
}

const NOBODY: Principal = { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: '', operator: false, project: '' };

/** Runs one row of the table: who asks, may they, how often, is the request well-formed; then the handler; then the answer. */
export async function runRoute(
  route: Route,
  params: Readonly<Record<string, unknown>>,
  req: IncomingMessage,
  res: ServerResponse,
  doors: Doors,
  deps: RouteDeps,
): Promise<void> {
  contextOf(req).operation = route.operationId;
  if (route.deprecated) announceDeprecation(route.deprecated, res);
  try {
    await run(route, params, req, res, doors, deps);
  } catch (error) {
    if (route.metered) countRefusal(deps.refusals, req, error);
    throw error;
  }
}

async function run(...[route, params, req, res, doors, deps]: Parameters<typeof runRoute>): Promise<void> {
  const { id } = contextOf(req);
  const principal = await admit(route, req, doors);
  if (route.throttle) await doors.throttle(route.throttle, req, res, route.throttledAs);
  if (route.bounded) doors.workspaces.enter(principal, res);
  const query = parseQuery(req.url ?? '');
  const input = {
    principal,
    req,
    params: route.params && validate(route.params, params, 'path'),
    query: route.query && validate(route.query, query, 'query'),
    body: route.body && validate(route.body, await bodyOf(req, deps), 'body'),
  } as Input<never, never, never>;
  const reply = await route.handle(input, deps, res);
  if (reply === ANSWERED) return;
  const { status = route.status, body } = reply;
  const headers = withDeprecation(route, reply.headers);
  if (body !== undefined) return sendJson(res, id, status, body, headers);
  res.writeHead(status, { 'x-request-id': id, ...headers }).end();
}

async function admit(route: Route, req: IncomingMessage, { authenticate }: Doors): Promise<Principal> {
  if (route.access === 'public') return { ...NOBODY, requestId: contextOf(req).id };
  const principal = await authenticate(req);
  if (route.access === 'operator' && !principal.operator) {
    throw new GatewayError('TENANT_ACCESS_DENIED', 'this operation needs the operator key');
  }
  if (route.scope) requireScope(principal, route.scope);
  return principal;
}

function bodyOf(req: IncomingMessage, { config }: RouteDeps): Promise<unknown> {
  return readJson(req, { limitBytes: config.maxBodyBytes, idleMs: config.bodyIdleMs });
}
