import { type IncomingMessage, type ServerResponse } from 'node:http';
import { LostCallError } from '@parley/kit/rpc/status';
import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type Authenticate } from '../middleware/authenticate.ts';
import { readJson } from '../middleware/body.ts';
import { type BytesInWork } from '../middleware/bytes-in-work.ts';
import { countRefusal } from '../middleware/count-refusal.ts';
import { announceDeprecation, withDeprecation } from '../middleware/deprecation.ts';
import { sendJson } from '../middleware/errors.ts';
import { type Principal, requireScope } from '../middleware/principal.ts';
import { contextOf } from '../middleware/request-context.ts';
import { type Throttle } from '../middleware/throttle.ts';
import { type OperatorGuesses } from '../middleware/operator-guesses.ts';
import { parseQuery } from '../middleware/parse-query.ts';
import { validate } from '../middleware/validate.ts';
import { type WorkspaceBound } from '../middleware/workspace-bound.ts';
import { type Reserve } from '../quota/quota-keeper.ts';
import { NOTHING_RESERVED } from '../quota/reservation.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { ANSWERED, type Input, type Route } from '../routes/route.ts';

/** The doors every operation goes through. */
export interface Doors {
  authenticate: Authenticate;
  throttle: Throttle;
  /** Bounds what a workspace has under way. */
  workspaces: WorkspaceBound;
  /** Bounds how many keys one address may try on the operator's surface. */
  guesses: Pick<OperatorGuesses, 'admit' | 'record'>;
  /** Bounds what large bodies take of the memory. */
  bodies: BytesInWork;
  /** Reserves of the quotas of a key and its workspace what a request will take. */
  reserve: Reserve;
}

/** Values in a JSON body; parsed where everybody's requests are answered. The largest that makes sense imports 10,000 messages. */
export const MAX_VALUES = 40_000;

const NOBODY: Principal = { workspaceId: '', keyId: '', userId: '', scopes: [], requestId: '', operator: false, project: '', quotas: [] };

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
    body: route.body && validate(route.body, await bodyOf(principal, req, doors, deps), 'body'),
    reservation: NOTHING_RESERVED,
  } as Input<never, never, never>;
  const reply = await handle(route, input, res, doors, deps);
  if (reply === ANSWERED) return;
  const { status = route.status, body } = reply;
  const headers = withDeprecation(route, reply.headers);
  if (body !== undefined) return sendJson(res, id, status, body, headers);
  res.writeHead(status, { 'x-request-id': id, ...headers }).end();
}

/** Hands the request to its handler, within the quotas of its key; what fails gives back what it was expected to take, and stays one request. */
async function handle(route: Route, input: Input<never, never, never>, res: ServerResponse, { reserve }: Doors, deps: RouteDeps) {
  const { quotas } = input.principal;
  if (!route.quota || quotas.length === 0) return route.handle(input, deps, res);
  const reservation = await reserve(quotas, await route.quota(input, deps));
  try {
    return await route.handle({ ...input, reservation }, deps, res);
  } catch (error) {
    // Of a call that was lost nobody knows whether it has begun work, and whoever leaves has had it begun.
    const isUnknown = error instanceof LostCallError || toGatewayError(error).condition === 'CANCELLED';
    if (!isUnknown) reservation.settle({ audio_ms: 0 });
    throw error;
  } finally {
    reservation.settle({});
  }
}

async function admit(route: Route, req: IncomingMessage, doors: Doors): Promise<Principal> {
  if (route.access === 'public') return { ...NOBODY, requestId: contextOf(req).id };
  if (route.access === 'operator') return admitOperator(req, doors);
  const principal = await doors.authenticate(req);
  if (route.scope) requireScope(principal, route.scope);
  return principal;
}

async function admitOperator(req: IncomingMessage, { authenticate, guesses }: Doors): Promise<Principal> {
  guesses.admit(req);
  try {
    const principal = await authenticate(req);
    if (!principal.operator) throw new GatewayError('TENANT_ACCESS_DENIED', 'this operation needs the operator key');
    return principal;
  } catch (error) {
    if (toGatewayError(error).condition === 'INVALID_API_KEY') guesses.record(req);
    throw error;
  }
}

function bodyOf({ workspaceId }: Principal, req: IncomingMessage, { bodies }: Doors, { config }: RouteDeps): Promise<unknown> {
  const work = bodies.share(workspaceId);
  return readJson(req, { limitBytes: config.maxBodyBytes, values: MAX_VALUES, idleMs: config.bodyIdleMs, work });
}
