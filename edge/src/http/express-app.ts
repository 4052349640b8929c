import { GatewayError } from '@parley/protos/errors';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type RequestGuards } from '../admission/request-guards.ts';
import { isPreflight, preflightHeaders } from '../middleware/cors.ts';
import { MethodNotAllowedError, sendError } from '../middleware/errors.ts';
import { requestId } from '../middleware/request-id.ts';
import { CHAT_PATH } from '../routes/chat/chat-path.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { type Route } from '../routes/route.ts';
import { runRoute } from './run-route.ts';

type RawHandler = (req: Request, res: Response) => void;

const ALL_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** The table as an Express app. `chat` is registered as well, for request targets that the dispatcher does not recognise at a glance. */
export function createExpressApp(routes: readonly Route[], chat: RawHandler, guards: RequestGuards, deps: RouteDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // Queries are parsed by the route runner, which refuses repeated parameters.
  app.set('query parser', false);

  app.post(CHAT_PATH, chat);
  for (const route of routes) {
    app[route.method](expressPath(route.path), (req: Request, res: Response) => runRoute(route, req.params, req, res, guards, deps));
  }
  for (const [path, allow] of allowedMethods(routes)) app.all(expressPath(path), (req, res) => refuseMethod(req, res, allow));
  app.use((req: Request) => {
    if (req.method === 'TRACE') throw new MethodNotAllowedError(ALL_METHODS);
    throw new GatewayError('NOT_FOUND', 'no such path');
  });
  app.use(answerError);
  return app;
}

/** `/v1/things/{id}` as Express writes it. */
function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function allowedMethods(routes: readonly Route[]): Map<string, string> {
  const methods = new Map<string, Set<string>>([[CHAT_PATH, new Set(['POST'])]]);
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method.toUpperCase()));
    if (method === 'get') known.add('HEAD');
  }
  return new Map([...methods].map(([path, known]) => [path, [...known, 'OPTIONS'].join(', ')]));
}

function refuseMethod(req: Request, res: Response, allow: string): void {
  if (req.method !== 'OPTIONS') throw new MethodNotAllowedError(allow);
  const headers = isPreflight(req) ? preflightHeaders(req, allow) : {};
  res.writeHead(204, { allow, 'x-request-id': requestId(req), ...headers }).end();
}

/** Express knows an error handler by its four parameters. */
function answerError(error: unknown, req: Request, res: Response, _next: NextFunction): void {
  sendError(res, requestId(req), error instanceof URIError ? new GatewayError('INVALID_REQUEST', 'the path is not well encoded') : error);
}
