import { GatewayError } from '@parley/protos/errors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type RequestListener } from 'node:http';
import { type RequestGuards } from '../admission/request-guards.ts';
import { CONSOLE_PATH, serveConsole } from '../console/serve-console.ts';
import { isPreflight, isCorsTarget, preflightHeaders } from '../middleware/cors.ts';
import { MethodNotAllowedError, sendError } from '../middleware/errors.ts';
import { getRequestId } from '../middleware/get-request-id.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { type Route } from '../routes/route.ts';
import { beginOperation } from './request-span.ts';
import { runRoute } from './run-route.ts';

/** An operation that has its own handler and does not run through `runRoute`; chat is one. */
export interface RawOperation {
  row: RouteSpec;
  handle: RequestListener;
}

/** The pages of the console are not in the API description. */
const CONSOLE = { path: CONSOLE_PATH, operationId: 'console' };
const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * Returns the routes as an Express app. Chat is registered as well: for people, and for request targets that the dispatcher does not match.
 */
export function createExpressApp(
  routes: readonly Route[],
  chats: readonly RawOperation[],
  guards: RequestGuards,
  deps: RouteDeps,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // Queries are parsed by the route runner, which refuses repeated parameters.
  app.set('query parser', false);

  for (const { row, handle } of chats) {
    app[row.method](expressPath(row.path), (req: Request, res: Response) => {
      beginOperation(req, row);
      handle(req, res);
    });
  }
  for (const route of routes) {
    app[route.method](expressPath(route.path), (req: Request, res: Response) => runRoute(route, req.params, req, res, guards, deps));
  }
  app.use(CONSOLE_PATH, (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuseMethod(req, res, 'GET, HEAD, OPTIONS');
    beginOperation(req, CONSOLE);
    return serveConsole(req.originalUrl, req, res);
  });
  for (const [path, allow] of allowedMethods([...chats.map(({ row }) => row), ...routes]))
    app.all(expressPath(path), (req, res) => refuseMethod(req, res, allow));
  app.use((req: Request) => {
    if (req.method === 'TRACE') throw new MethodNotAllowedError(ALL_METHODS);
    throw new GatewayError('NOT_FOUND', 'no such path');
  });
  app.use(answerError);
  return app;
}

/** `/v1/things/{id}` in the syntax of Express: `/v1/things/:id`. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function allowedMethods(rows: readonly RouteSpec[]): Map<string, string> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of rows) {
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method.toUpperCase()));
    if (method === 'get') known.add('HEAD');
  }
  return new Map([...methods].map(([path, known]) => [path, [...known, 'OPTIONS'].join(', ')]));
}

function refuseMethod(req: Request, res: Response, allow: string): void {
  if (req.method !== 'OPTIONS') throw new MethodNotAllowedError(allow);
  const headers = isPreflight(req) && isCorsTarget(req.url) ? preflightHeaders(req, allow) : {};
  res.writeHead(204, { allow, 'x-request-id': getRequestId(req), ...headers }).end();
}

/** Sends the error that a handler threw. Express recognises an error handler by its four parameters. */
function answerError(error: unknown, req: Request, res: Response, _next: NextFunction): void {
  sendError(
    res,
    getRequestId(req),
    error instanceof URIError ? new GatewayError('INVALID_REQUEST', 'the path is not well encoded') : error,
  );
}
