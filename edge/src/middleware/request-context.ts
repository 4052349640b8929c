import { type IncomingMessage, type ServerResponse } from 'node:http';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Principal } from './principal.ts';

/** The state of one request at the edge. */
export interface RequestContext {
  id: string;
  /** `performance.now()` when the request came. */
  startedAt: number;
  /** Name of the operation, for the log line. */
  operation: string;
  principal: Principal | undefined;
  /** The error that was answered, for the log line. */
  error: unknown;
  /** True when a service counts the request in the usage, as it does with all work that has begun. */
  isCounted: boolean;
}

const CONTEXT = Symbol('parley.request');

type Marked = IncomingMessage & { [CONTEXT]?: RequestContext };

/** The context of a request; created on first use. */
export function getRequestContext(req: IncomingMessage): RequestContext {
  return ((req as Marked)[CONTEXT] ??= {
    id: acceptRequestId(req.headers['x-request-id']),
    startedAt: performance.now(),
    operation: 'unknown',
    principal: undefined,
    error: undefined,
    isCounted: false,
  });
}

/** The context of the request that a response answers. */
export function getResponseContext(res: ServerResponse): RequestContext {
  return getRequestContext(res.req);
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,256}$/;

/** The client's id when it is 1 to 256 visible ASCII characters, else a generated one. */
export function acceptRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && VISIBLE_ASCII.test(given) ? given : uuidv7();
}
