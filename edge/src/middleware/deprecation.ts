import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';

/** That an operation will go (docs/versioning.md). */
export interface Deprecation {
  /** Day since when it is deprecated, as in `2026-11-21`. */
  since: string;
  /** Day on which it goes; absent while that is open. */
  sunset?: string;
  /** Page that says what to use instead. */
  link: string;
}

/** Sets the headers of an operation that will go (RFC 9745, RFC 8594), so that refusals have them as well. */
export function announceDeprecation(deprecated: Deprecation, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headersOf(deprecated))) res.setHeader(name, value);
}

/** The headers of an answer; what it links to already stays. */
export function withDeprecation({ deprecated }: { deprecated?: Deprecation }, headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  if (!deprecated || headers['link'] === undefined) return headers;
  return { ...headers, link: [headers['link'], linksOf(deprecated)].flat().join(', ') };
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
