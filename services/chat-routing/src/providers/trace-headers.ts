import { type UpstreamTurn } from './upstream-turn.ts';

const NO_HEADERS = {};

/** Returns the `traceparent` header of an attempt (https://www.w3.org/TR/trace-context/); empty when it is not traced. */
export function traceHeaders({ traceparent }: Pick<UpstreamTurn, 'traceparent'>): Readonly<Record<string, string>> {
  return traceparent === '' ? NO_HEADERS : { traceparent };
}
