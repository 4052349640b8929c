import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type Deprecation, type RouteFacts } from '../routes/route-facts.ts';

/** Sets the headers of an operation that will go (RFC 9745, RFC 8594), so that refusals have them as well. */
export function announceDeprecation(deprecated: Deprecation, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headersOf(deprecated))) res.setHeader(name, value);
}

/** The headers of an answer; what it links to already stays. */
export function withDeprecation({ deprecated }: RouteFacts, headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  if (!deprecated || headers['link'] === undefined) return headers;
  return { ...headers, link: [headers['link'], linksOf(deprecated)].flat().join(', ') };
}

/** A handler of node's whose row may be deprecated. */
export function announcing(
  { deprecated }: RouteFacts,
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): (req: IncomingMessage, res: ServerResponse) => void {
  if (!deprecated) return handle;
  return (req, res) => {
    announceDeprecation(deprecated, res);
    handle(req, res);
  };
}

function headersOf(deprecated: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1_000}`,
    ...(deprecated.sunset !== undefined && { sunset: new Date(deprecated.sunset).toUTCString() }),
    link: linksOf(deprecated),
  };
}

function linksOf({ link, sunset }: Deprecation): string {
  const to = (rel: string) => `<${link}>; rel="${rel}"; type="text/html"`;
  return sunset === undefined ? to('deprecation') : `${to('deprecation')}, ${to('sunset')}`;
}
