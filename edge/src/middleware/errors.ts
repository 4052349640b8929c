import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { getResponseContext } from './request-context.ts';

/** The JSON body of an error. */
export interface ErrorEnvelope {
  error: { code: string; message: string; type: string; param?: string; request_id: string; retryable: boolean | null };
}

/** 405 METHOD_NOT_ALLOWED; `allow` lists the methods of the path. */
export class MethodNotAllowedError extends GatewayError {
  readonly allow: string;

  constructor(allow: string) {
    super('METHOD_NOT_ALLOWED', 'this path does not support the method');
    this.allow = allow;
  }
}

/**
 * A refusal by the throttle of an endpoint; `policy` is its text, such as `60 per 1 minute`. `format` is the form of `error` in the body.
 */
export class ThrottledError extends GatewayError {
  readonly format: 'string' | 'object';

  constructor(policy: string, retryAfterMs: number, format: 'string' | 'object', condition: ErrorCondition = 'RATE_LIMIT_EXCEEDED') {
    super(condition, `Rate limit exceeded: ${policy}`, { retryAfterMs });
    this.format = format;
  }
}

/** Refuses a request of a workspace that has its maximum of concurrent requests. */
export class ConcurrencyLimitError extends GatewayError {
  constructor(open: number, retryAfterMs: number) {
    super('RATE_LIMIT_EXCEEDED', `the workspace has reached its limit of ${open} concurrent requests`, { retryAfterMs });
  }
}

/** A limit is reached; `limit` goes into the rate limit headers, with 0 remaining. */
export class LimitReachedError extends GatewayError {
  readonly limit: number;

  constructor(condition: ErrorCondition, message: string, limit: number, retryAfterMs: number) {
    super(condition, message, { retryAfterMs });
    this.limit = limit;
  }
}

/** Returns the envelope of an error, for a response body or a frame of a stream. */
export function toErrorEnvelope(requestId: string, thrown: unknown): ErrorEnvelope {
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

/** The longest Retry-After that the OpenAI SDKs honour, in milliseconds. */
const MAX_PATIENCE_MS = 60_000;

/** Returns the headers that an error adds to content type and request id, such as `retry-after` and `x-should-retry`. */
export function toErrorHeaders(thrown: unknown): OutgoingHttpHeaders {
  const error = toGatewayError(thrown);
  const headers: OutgoingHttpHeaders = {};
  // Without `x-should-retry` the OpenAI SDKs retry every 409 and 5xx. They ignore a longer wait and would retry at once.
  const isFarAway = (error.retryAfterMs ?? 0) > MAX_PATIENCE_MS;
  if (error.row.retryable === false || isFarAway) headers['x-should-retry'] = 'false';
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1_000)));
  if (error instanceof MethodNotAllowedError) headers['allow'] = error.allow;
  if (error instanceof LimitReachedError) {
    headers['x-ratelimit-limit'] = String(error.limit);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = headers['retry-after'];
  }
  // Another attempt on this connection would be refused again; a new connection can reach another replica. The rest of a body that stalled
  // would block every other request on it (RFC 9110, section 15.5.9).
  if (error.condition === 'SHUTTING_DOWN' || error.condition === 'REQUEST_TIMEOUT') headers['connection'] = 'close';
  return headers;
}

/**
 * Sends the error's status, envelope and headers; does nothing when a response has been started. Anything other than a GatewayError becomes
 * INTERNAL_ERROR; its cause is logged and not sent to the client.
 */
export function sendError(res: ServerResponse, requestId: string, thrown: unknown, headers?: OutgoingHttpHeaders): void {
  const error = toGatewayError(thrown);
  getResponseContext(res).error = error;
  if (res.headersSent || res.destroyed) return;
  const body = error instanceof ThrottledError && error.format === 'string' ? { error: error.message } : toErrorEnvelope(requestId, error);
  sendJson(res, requestId, error.row.http, body, { ...toErrorHeaders(error), ...headers });
}

/** Sends a JSON response. */
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
