import { type GatewayError, toGatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { getRequestContext, type RequestContext } from '../middleware/request-context.ts';
import { takeBytesSent } from './socket-state.ts';

/** How a request ended; its log line, its metrics and its span are made from it. */
export interface RequestOutcome {
  context: RequestContext;
  method: string;
  /** HTTP status; 0 when no response was started. */
  status: number;
  /** Milliseconds from the head of the request to the end of its answer. */
  ms: number;
  /** Bytes of the response that were written to the connection, with its head. */
  bytes: number;
  /** The error that was sent to the client, also as a frame of an open stream. */
  error: GatewayError | undefined;
  /** The connection closed before the answer was complete. */
  isAborted: boolean;
}

/** Returns the outcome of a request whose response has closed. */
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
