import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Cors } from '../middleware/cors.ts';
import { sendError } from '../middleware/errors.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { isChatTarget } from '../routes/chat/chat-path.ts';
import { CHAT_ROUTE } from '../routes/chat/route.ts';
import { logRequest } from './access-log.ts';
import { discardRequestBody } from './discard-request-body.ts';
import { findHeadError } from './find-head-error.ts';
import { type InFlight } from './in-flight.ts';
import { countRequest } from './request-metrics.ts';
import { toRequestOutcome } from './request-outcome.ts';
import { beginOperation, endSpan } from './request-span.ts';
import { type ShutdownState } from './shutdown-state.ts';
import { setCurrentResponse } from './socket-state.ts';

/** What the dispatcher needs: the chat handler, the Express app, CORS, and the counters and state of the edge. */
export interface DispatcherDeps {
  chat: (req: IncomingMessage, res: ServerResponse) => void;
  app: RequestListener;
  cors: Cors;
  inFlight: InFlight;
  shutdownState: ShutdownState;
  log: Logger;
}

const SHUTDOWN_RETRY_MS = 1_000;

/**
 * Returns the listener of every request. It calls the chat handler directly, because Express costs more than the rest of the edge together;
 * all other requests go through Express.
 */
export function createDispatcher({ chat, app, cors, inFlight, shutdownState, log }: DispatcherDeps): RequestListener {
  return (req, res) => {
    const context = getRequestContext(req);
    const isChat = req.method === 'POST' && isChatTarget(req.url);
    if (isChat) beginOperation(req, CHAT_ROUTE);
    setCurrentResponse(req.socket, res);
    inFlight.enter();
    res.once('close', () => {
      inFlight.leave();
      report(log, req, res);
      discardRequestBody(req);
    });
    try {
      const refusal = findHeadError(req) ?? (shutdownState.isShuttingDown ? refuseDuringShutdown(shutdownState, req, res) : undefined);
      cors(req, res);
      if (refusal) sendError(res, context.id, refusal);
      else if (isChat) chat(req, res);
      else app(req, res);
    } catch (error) {
      sendError(res, context.id, error);
    }
  };
}

/** Ends the span of a request that was answered or aborted, counts it in the metrics, and writes its log line. */
function report(log: Logger, req: IncomingMessage, res: ServerResponse): void {
  const outcome = toRequestOutcome(req, res);
  endSpan(req, outcome);
  countRequest(outcome);
  logRequest(log, outcome);
}

/**
 * Closes the connection after the answer, so that the client's next request reaches another edge. Returns SHUTTING_DOWN when new requests
 * are refused, unless it is a probe; undefined otherwise.
 */
function refuseDuringShutdown({ refusalSignal }: ShutdownState, req: IncomingMessage, res: ServerResponse): GatewayError | undefined {
  res.shouldKeepAlive = false;
  return refusalSignal.aborted && !isProbe(req.url) ? shuttingDown() : undefined;
}

/** True for the paths of the probes, which a draining edge answers as usual. */
function isProbe(url: string | undefined): boolean {
  return url === '/livez' || url === '/readyz';
}

function shuttingDown(): GatewayError {
  return new GatewayError('SHUTTING_DOWN', 'the server is shutting down', { retryAfterMs: SHUTDOWN_RETRY_MS });
}
