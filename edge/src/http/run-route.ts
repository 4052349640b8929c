import { LostCallError } from '@parley/kit/rpc/grpc-status';
import { toGatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { admit } from '../admission/admit.ts';
import { type RequestGuards } from '../admission/request-guards.ts';
import { requirePermission } from '../identity/require-permission.ts';
import { addDeprecationLink } from '../middleware/deprecation.ts';
import { sendJson } from '../middleware/errors.ts';
import { setLimitHeadersIfTighter } from '../middleware/limit-headers.ts';
import { parseQuery } from '../middleware/parse-query.ts';
import { type Principal } from '../middleware/principal.ts';
import { readForm, readJson } from '../middleware/read-body.ts';
import { type RefusalCounter } from '../middleware/refusal-counter.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { validate } from '../middleware/validate.ts';
import { EMPTY_RESERVATION } from '../quota/quota-reservation.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { RESPONSE_SENT, type Input, type Route } from '../routes/route.ts';
import { beginOperation } from './request-span.ts';

/** Most values in a JSON body, which is parsed on the event loop. The largest legitimate body imports 10,000 messages. */
export const MAX_JSON_VALUES = 40_000;
/** Largest urlencoded form, in bytes. */
const MAX_FORM_BYTES = 64 * 1_024;

/** Runs one route: admission, validation, permission, quotas, the handler, then the answer. Rejects with the error to send. */
export async function runRoute(
  route: Route,
  params: Readonly<Record<string, unknown>>,
  req: IncomingMessage,
  res: ServerResponse,
  guards: RequestGuards,
  deps: RouteDeps,
): Promise<void> {
  beginOperation(req, route);
  try {
    await run(route, params, req, res, guards, deps);
  } catch (error) {
    if (route.metered) countRefusal(deps.refusals, req, error);
    throw error;
  }
}

async function run(...[route, params, req, res, guards, deps]: Parameters<typeof runRoute>): Promise<void> {
  const { id } = getRequestContext(req);
  const principal = await admit(route, guards, req, res);
  const query = parseQuery(req.url ?? '');
  const input = {
    principal,
    req,
    params: route.params && validate(route.params, params, 'path'),
    query: route.query && validate(route.query, query, 'query'),
    body: route.body && validate(route.body, await bodyOf(route, principal, req, guards, deps), 'body'),
    reservation: EMPTY_RESERVATION,
  } as Input<never, never, never>;
  if (route.permission) requirePermission(principal, route.permission, await resolveWorkspaceOf(route, input, deps));
  const reply = await handle(route, input, res, guards, deps);
  if (reply === RESPONSE_SENT) return;
  const { status = route.status, body } = reply;
  const headers = addDeprecationLink(route, reply.headers);
  if (body !== undefined) return sendJson(res, id, status, body, headers);
  res.writeHead(status, { 'x-request-id': id, ...headers }).end();
}

/**
 * Returns the workspace that the request is about: from the route's `resolveWorkspace`, else the `workspace_id` of its path, query or body;
 * undefined when it names none.
 */
function resolveWorkspaceOf(
  route: Route,
  input: Input<never, never, never>,
  deps: RouteDeps,
): string | undefined | Promise<string | undefined> {
  if (route.resolveWorkspace) return route.resolveWorkspace(input, deps);
  const parts = [input.params, input.query, input.body] as ({ workspace_id?: string } | undefined)[];
  return parts.find((part) => part?.workspace_id !== undefined)?.workspace_id;
}

/** Calls the handler within the quotas of the key. A failed request returns its reserved amounts and counts as one request. */
async function handle(route: Route, input: Input<never, never, never>, res: ServerResponse, { reserve }: RequestGuards, deps: RouteDeps) {
  const { quotas } = input.principal;
  if (!route.estimateAmounts || quotas.length === 0) return route.handle(input, deps, res);
  const reservation = await reserve(quotas, await route.estimateAmounts(input, deps));
  if (reservation.tightestLimit) setLimitHeadersIfTighter(res, reservation.tightestLimit);
  try {
    return await route.handle({ ...input, reservation }, deps, res);
  } catch (error) {
    // A lost call may have started work, and a request whose client left has started it.
    const isUnknown = error instanceof LostCallError || toGatewayError(error).condition === 'CANCELLED';
    if (!isUnknown) reservation.settle({ audio_ms: 0 });
    throw error;
  } finally {
    reservation.settle({});
  }
}

function bodyOf(
  { isUrlEncoded }: Route,
  { workspaceId }: Principal,
  req: IncomingMessage,
  { bodies }: RequestGuards,
  { config }: RouteDeps,
): Promise<unknown> {
  const limits = {
    limitBytes: config.maxBodyBytes,
    values: MAX_JSON_VALUES,
    idleMs: config.bodyIdleMs,
    work: bodies.createCounter(workspaceId),
  };
  return isUrlEncoded ? readForm(req, { ...limits, limitBytes: Math.min(MAX_FORM_BYTES, config.maxBodyBytes) }) : readJson(req, limits);
}

/** Counts a metered request that was refused before work started. Requests that a service counts, or may count, are skipped. */
function countRefusal(refusals: Pick<RefusalCounter, 'count'>, req: IncomingMessage, thrown: unknown): void {
  const { principal, isCounted } = getRequestContext(req);
  // A lost call may have started work.
  if (!principal || isCounted || thrown instanceof LostCallError) return;
  const error = toGatewayError(thrown);
  if (error.condition !== 'CANCELLED') refusals.count(principal, error.row.http === 429 ? 'rate_limited' : 'errors');
}
