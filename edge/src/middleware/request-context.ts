import { uuidv7 } from '@parley/kit/ids/uuid';
import { NOOP_SPAN, type Span } from '@parley/kit/telemetry/span';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Principal } from './principal.ts';

/** The state of one request at the edge, from its head to the end of its response. */
export interface RequestContext {
  id: string;
  /** `performance.now()` when the request arrived. */
  startedAt: number;
  /** `operationId` of the route, for the log line, the metrics and the span; `unknown` until a route matches. */
  operation: string;
  /** The span of the request; started when its operation is known. */
  span: Span;
  principal: Principal | undefined;
  /** The error that was sent, also in an open stream; for the log line, the metrics and the span. */
  error: unknown;
  /** True when a service counts the request in the usage, which it does for all work that has begun. */
  isCounted: boolean;
}

/** The operation id of a request that no route matches. */
export const UNKNOWN_OPERATION = 'unknown';

const CONTEXT = Symbol('parley.request');

type Marked = IncomingMessage & { [CONTEXT]?: RequestContext };

/** Returns the context of a request; creates it on first use. */
export function getRequestContext(req: IncomingMessage): RequestContext {
  return ((req as Marked)[CONTEXT] ??= {
    id: toRequestId(req.headers['x-request-id']),
    startedAt: performance.now(),
    operation: UNKNOWN_OPERATION,
    span: NOOP_SPAN,
    principal: undefined,
    error: undefined,
    isCounted: false,
  });
}

/** Returns the context of the request that a response belongs to. */
export function getResponseContext(res: ServerResponse): RequestContext {
  return getRequestContext(res.req);
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,256}$/;

/** The client's id when it is 1 to 256 visible ASCII characters, else a generated one. */
export function toRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && VISIBLE_ASCII.test(given) ? given : uuidv7();
}
