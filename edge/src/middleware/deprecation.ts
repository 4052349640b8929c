import { type OutgoingHttpHeaders, type ServerResponse } from 'node:http';

/** The deprecation of an operation (docs/versioning.md). */
export interface Deprecation {
  /** Date from which it is deprecated, as in `2026-11-21`. */
  since: string;
  /** Date of its removal; absent until it is decided. */
  sunset?: string;
  /** URL of the page that explains what to use instead. */
  link: string;
}

/** Sets the headers of a deprecated operation (RFC 9745, RFC 8594) before it can fail, so that errors have them as well. */
export function setDeprecationHeaders(deprecated: Deprecation, res: ServerResponse): void {
  for (const [name, value] of Object.entries(headersOf(deprecated))) res.setHeader(name, value);
}

/** Returns the headers of a reply, with the deprecation added to its `Link` header. */
export function addDeprecationLink({ deprecated }: { deprecated?: Deprecation }, headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
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
