import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { getRequestContext } from './request-context.ts';

/** Writes the one line of a request that has been answered or given up. Never content, never a query. */
export function logRequest(log: Logger, req: IncomingMessage, res: ServerResponse): void {
  const { id, startedAt, operation, principal, error } = getRequestContext(req);
  const fields = {
    requestId: id,
    operation,
    method: req.method,
    status: res.headersSent ? res.statusCode : 0,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    workspaceId: principal?.workspaceId,
    keyId: principal?.keyId,
    aborted: res.writableFinished ? undefined : true,
  };
  if (!(error instanceof GatewayError)) return log.info(fields, 'request');
  if (error.row.http < 500) return log.info({ ...fields, code: error.code }, 'request');
  const level = error.condition === 'INTERNAL_ERROR' ? 'error' : 'warn';
  log[level]({ ...fields, code: error.code, err: error.cause ?? error }, 'request failed');
}
