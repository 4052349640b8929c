import { type Span } from '@parley/kit/telemetry/span';
import { type GatewayError } from '@parley/protos/errors';

/**
 * Ends a span of a turn. As in the conventions for servers, what the client can mend (4xx) is no error of the span: else a client that repeats a wrong
 * request would have all of its traces kept.
 */
export function endSpan(span: Span, error?: GatewayError): void {
  if (!error) return span.end();
  span.set({ 'error.type': error.condition });
  span.end(error.row.http >= 500 ? error.condition : undefined);
}
