import { type Attributes, NOOP_SPAN, type Span, SpanKind } from '@parley/kit/telemetry/span';
import { parseTraceparent, formatTraceparent } from '@parley/kit/telemetry/traceparent';
import { startSpan } from '@parley/kit/telemetry/tracer';
import { type IncomingMessage } from 'node:http';
import { getRequestContext, UNKNOWN_OPERATION } from '../middleware/request-context.ts';
import { type RouteSpec } from '../openapi/route-spec.ts';
import { type RequestOutcome } from './request-outcome.ts';

/** Operation ids that only probes call, every few seconds: they have no span, and their log lines are at `debug`. */
export const PROBE_OPERATION_IDS: ReadonlySet<string> = new Set(['live', 'ready']);

/**
 * Records the operation of a request and starts its span, `{METHOD} {route}`. Without a tracer the client's `traceparent` is passed on
 * unchanged; `tracestate` is not passed on (ADR 0052).
 */
export function beginOperation(req: IncomingMessage, { path, operationId }: Pick<RouteSpec, 'path' | 'operationId'>): void {
  const context = getRequestContext(req);
  context.operation = operationId;
  if (!PROBE_OPERATION_IDS.has(operationId)) context.span = openSpan(req, `${req.method ?? ''} ${path}`, path);
}

/**
 * Ends the span of a request; a request that matched no route gets its span here. Attributes follow the OpenTelemetry conventions for HTTP
 * servers (https://opentelemetry.io/docs/specs/semconv/http/http-spans/), in which a 4xx answer does not mark the span as failed.
 */
export function endSpan(req: IncomingMessage, outcome: RequestOutcome): void {
  const { context, error } = outcome;
  if (context.operation === UNKNOWN_OPERATION) context.span = openSpan(req, outcome.method);
  const { span } = context;
  if (span === NOOP_SPAN) return;
  span.setAttributes(() => toAttributes(req, outcome));
  span.end(error && error.row.http >= 500 ? error.code : undefined);
}

function toAttributes(req: IncomingMessage, { context, method, status, error, isAborted }: RequestOutcome): Attributes {
  const { id, operation, principal } = context;
  return {
    'http.request.method': method,
    'url.path': req.url?.split('?', 1)[0],
    'http.response.status_code': status === 0 ? undefined : status,
    'parley.operation': operation,
    'parley.request.id': id,
    'parley.workspace.id': principal?.workspaceId,
    'parley.key.id': principal?.keyId,
    'parley.error.code': error?.code,
    'parley.request.aborted': isAborted || undefined,
  };
}

function openSpan(req: IncomingMessage, name: string, route?: string): Span {
  const attributes = route === undefined ? {} : { 'http.route': route };
  return startSpan(name, { parent: readParent(req), kind: SpanKind.SERVER, startedAt: getRequestContext(req).startedAt, attributes });
}

/** The client's `traceparent`; empty when it is absent or invalid, so that a new trace starts. */
function readParent({ headers }: IncomingMessage): string {
  const given = headers['traceparent'];
  const parent = typeof given === 'string' ? parseTraceparent(given) : undefined;
  return parent ? formatTraceparent(parent) : '';
}
