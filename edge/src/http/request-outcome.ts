import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { getRequestContext, type RequestContext } from '../middleware/request-context.ts';
import { takeBytesSent } from './socket-state.ts';

/** How a request ended: what its log line, its metrics and its span have in common. */
export interface RequestOutcome {
  context: RequestContext;
  method: string;
  /** 0 when no answer was begun. */
  status: number;
  /** Milliseconds from the head of the request to the end of its answer. */
  ms: number;
  /** Bytes of the answer that went to the connection, its head included. */
  bytes: number;
  /** The error that was answered, also in an open stream. */
  error: GatewayError | undefined;
  /** The connection closed before the answer was complete. */
  isAborted: boolean;
}

/** The outcome of a request whose response has closed. */
export function toRequestOutcome(req: IncomingMessage, res: ServerResponse): RequestOutcome {
  const context = getRequestContext(req);
  return {
    context,
    method: req.method ?? '',
    status: res.headersSent ? res.statusCode : 0,
    ms: performance.now() - context.startedAt,
    bytes: takeBytesSent(req.socket),
    error: context.error === undefined ? undefined : toGatewayError(context.error),
    isAborted: !res.writableFinished,
  };
}
