import { type UpstreamTurn } from './upstream-turn.ts';

const NO_HEADERS = {};

/** The header with which an upstream continues the trace of an attempt (https://www.w3.org/TR/trace-context/); none without a trace. */
export function traceHeaders({ traceparent }: Pick<UpstreamTurn, 'traceparent'>): Readonly<Record<string, string>> {
  return traceparent === '' ? NO_HEADERS : { traceparent };
}
