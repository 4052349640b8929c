import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { toGatewayError } from '@parley/protos/errors';
import { findRequestId } from './request-id.ts';

/** Answers with the gateway's error envelope (`Error` in `/openapi.json`). For a response whose head has not been sent. */
export function sendError(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  const { row, message, param, retryAfterMs } = toGatewayError(thrown);
  const requestId = findRequestId(request) ?? randomUUID();
  const error = { code: row.code, message, type: row.type, param: param ?? null, request_id: requestId, retryable: row.retryable };
  const body = JSON.stringify({ error });
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  response.writeHead(row.http, headers).end(request.method === 'HEAD' ? undefined : body);
}
