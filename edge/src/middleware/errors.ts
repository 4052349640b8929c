import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type Condition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { getResponseContext } from './request-context.ts';

/** The error envelope. */
export interface ErrorEnvelope {
  error: { code: string; message: string; type: string; param?: string; request_id: string; retryable: boolean | null };
}

/** A 405 that names what the path does allow. */
export class MethodNotAllowedError extends GatewayError {
  readonly allow: string;

  constructor(allow: string) {
    super('METHOD_NOT_ALLOWED', 'this path does not support the method');
    this.allow = allow;
  }
}

/** An endpoint-throttle refusal; `policy` is its text, such as `60 per 1 minute`. */
export class ThrottledError extends GatewayError {
  readonly format: 'string' | 'object';

  constructor(policy: string, retryAfterMs: number, format: 'string' | 'object', condition: Condition = 'RATE_LIMIT_EXCEEDED') {
    super(condition, `Rate limit exceeded: ${policy}`, { retryAfterMs });
    this.format = format;
  }
}

/** A refusal of a workspace that has as many requests in progress as it may have. */
export class ConcurrencyLimitError extends GatewayError {
  constructor(open: number, retryAfterMs: number) {
    super('RATE_LIMIT_EXCEEDED', `the workspace has reached its limit of ${open} concurrent requests`, { retryAfterMs });
  }
}

/** A limit that is reached; its numbers go into the rate limit headers. */
export class LimitReachedError extends GatewayError {
  readonly limit: number;

  constructor(condition: Condition, message: string, limit: number, retryAfterMs: number) {
    super(condition, message, { retryAfterMs });
    this.limit = limit;
  }
}

/** The envelope of an error, for a response body or a frame of a stream. */
export function errorEnvelope(requestId: string, thrown: unknown): ErrorEnvelope {
  const { row, message, param } = toGatewayError(thrown);
  return {
    error: {
      code: row.code,
      message,
      type: row.type,
      ...(param !== undefined && { param }),
      request_id: requestId,
      retryable: row.retryable,
    },
  };
}

/** The longest Retry-After that the OpenAI SDKs honour. */
const MAX_PATIENCE_MS = 60_000;

/** The headers an error carries besides content type and request id. */
export function errorHeaders(thrown: unknown): OutgoingHttpHeaders {
  const error = toGatewayError(thrown);
  const headers: OutgoingHttpHeaders = {};
  // Without it the OpenAI SDKs retry every 409 and 5xx by themselves.
  // They ignore a longer wait and would retry at once.
  const isFarAway = (error.retryAfterMs ?? 0) > MAX_PATIENCE_MS;
  if (error.row.retryable === false || isFarAway) headers['x-should-retry'] = 'false';
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
  if (error instanceof MethodNotAllowedError) headers['allow'] = error.allow;
  if (error instanceof LimitReachedError) {
    headers['x-ratelimit-limit'] = String(error.limit);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = headers['retry-after'];
  }
  // Another attempt on this connection would meet the same refusal; a new one finds another replica. A body that stalled would be in the way of
  // every other request (RFC 9110, section 15.5.9).
  if (error.condition === 'SHUTTING_DOWN' || error.condition === 'REQUEST_TIMEOUT') headers['connection'] = 'close';
  return headers;
}

/**
 * Answers with the error's status, envelope and headers; does nothing when an answer has begun.
 * Anything but a GatewayError becomes INTERNAL_ERROR; its cause goes to the log, never to the client.
 */
export function sendError(res: ServerResponse, requestId: string, thrown: unknown, headers?: OutgoingHttpHeaders): void {
  const error = toGatewayError(thrown);
  getResponseContext(res).error = error;
  if (res.headersSent || res.destroyed) return;
  const body = error instanceof ThrottledError && error.format === 'string' ? { error: error.message } : errorEnvelope(requestId, error);
  sendJson(res, requestId, error.row.http, body, { ...errorHeaders(error), ...headers });
}

/** Answers with JSON. */
export function sendJson(res: ServerResponse, requestId: string, status: number, body: unknown, headers?: OutgoingHttpHeaders): void {
  const text = JSON.stringify(body);
  const about = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
  };
  res.writeHead(status, headers ? Object.assign(about, headers) : about);
  res.end(text);
}
