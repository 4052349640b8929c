import { type Logger } from '@parley/kit/log/logger';
import { type GatewayError } from '@parley/protos/errors';
import { UNKNOWN_OPERATION } from '../middleware/request-context.ts';
import { countRefusedHead } from './request-metrics.ts';
import { type RequestOutcome } from './request-outcome.ts';
import { PROBE_OPERATION_IDS } from './request-span.ts';

/**
 * Writes one log line for a request that was answered or aborted, without content and without the query. Lines of probes are at `debug`.
 */
export function logRequest(log: Logger, { context, method, status, ms, bytes, error, isAborted }: RequestOutcome): void {
  const { id, operation, span, principal } = context;
  const isFailure = error !== undefined && error.row.http >= 500;
  const level = isFailure
    ? error.condition === 'INTERNAL_ERROR'
      ? 'error'
      : 'warn'
    : PROBE_OPERATION_IDS.has(operation)
      ? 'debug'
      : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: id,
      operation,
      method,
      status,
      ms: Math.round(ms * 10) / 10,
      bytes,
      workspaceId: principal?.workspaceId,
      keyId: principal?.keyId,
      aborted: isAborted || undefined,
      code: error?.code,
      trace_id: span.traceId || undefined,
      err: isFailure ? (error.cause ?? error) : undefined,
    },
    isFailure ? 'request failed' : 'request',
  );
}

/** Counts and logs a request that was refused on its socket, before it had a response object; `logRequest` is not called for it. */
export function reportRefusedHead(
  log: Logger,
  fields: { requestId: string; method?: string; parser?: string | undefined },
  error: GatewayError,
): void {
  countRefusedHead(error);
  log.info({ operation: UNKNOWN_OPERATION, ...fields, status: error.row.http, code: error.code }, 'request refused by its head');
}
