import { type Span } from '@parley/kit/telemetry/span';
import { type GatewayError } from '@parley/protos/errors';

/**
 * Ends a span of a turn. Following OpenTelemetry's conventions for HTTP servers, an error that the client can fix (4xx) does not set the
 * span's error status; otherwise every trace of a client that repeats an invalid request would be sampled.
 */
export function endSpan(span: Span, error?: GatewayError): void {
  if (!error) return span.end();
  span.setAttributes({ 'error.type': error.condition });
  span.end(error.row.http >= 500 ? error.condition : undefined);
}
