import { type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { errorEnvelope } from '../wire/error.ts';
import { type RouteSpec } from './route-spec.ts';

type Headers = Extract<ResponseConfig['headers'], Record<string, { description?: string }>>;

/** Body of a 429 of the endpoint throttle. */
export const throttledResponse = z
  .union([z.object({ error: z.string().meta({ example: 'Rate limit exceeded: 60 per 1 minute' }) }), errorEnvelope])
  .meta({ id: 'Throttled' });

/** Request header of every operation. */
export const requestIdHeader = z.object({
  'X-Request-Id': z.string().max(256).optional().meta({ description: '1 to 256 visible ASCII characters; echoed. Generated when absent.' }),
});

/** The request header with which a person chooses the workspace. */
export const workspaceHeader = {
  'X-Service-Workspace': z
    .uuid()
    .optional()
    .meta({ description: 'The workspace of the request; who is a member of exactly one may leave it out.' }),
};

/** The query parameter that replaces it where a browser sends no header: links, images, event streams. */
export const workspaceParam = {
  workspace_id: z.uuid().optional().meta({ description: 'In place of the header `X-Service-Workspace`, where a browser sends none.' }),
};

/** Request headers of a file download. */
export const rangeRequestHeaders = requestIdHeader.extend({
  Range: z.string().optional().meta({ description: 'The requested part, such as `bytes=0-1023`.' }),
  'If-Range': z.string().optional().meta({ description: 'An ETag: the whole file is answered if it has changed.' }),
  'If-None-Match': z.string().optional().meta({ description: 'An ETag: 304 if the file has not changed.' }),
});

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const whole = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });
/** Marks a response header that every answer has. */
const always = <H extends object>(header: H) => ({ ...header, required: true });

/** Request headers of an operation whose answer has an ETag. */
export const conditionalRequestHeaders = requestIdHeader.extend({
  'If-None-Match': z.string().optional().meta({ description: 'An ETag: 304 if nothing has changed.' }),
});

/** Response header of every answer. */
export const commonResponseHeaders: Headers = { 'X-Request-Id': always(text('The id of the request.')) };

const RANGE: Headers = {
  'Content-Range': text('The returned part and the size of the file; only on 206 and 416.'),
  'Accept-Ranges': text('`bytes`.'),
};

/** Response headers of a file. */
export const fileResponseHeaders: Headers = {
  ...commonResponseHeaders,
  ...RANGE,
  'Content-Type': text('The media type of the file, by its content.'),
  'Content-Disposition': text('`attachment` and the name of the file.'),
  'Content-Length': whole('Bytes of the answer.'),
  ETag: text('Changes with the bytes.'),
};

/** Response headers of an answer that a client may cache. */
export const etagResponseHeaders: Headers = { ETag: always(text('Changes with the content; for `If-None-Match`.')) };

/** Response headers of a page of a list. */
export const pageHeaders: Headers = {
  ...commonResponseHeaders,
  'X-Total-Count': whole('Items in all; left out of a list of more than 10,000 conversations, and of pages by cursor.'),
  Link: always(text('RFC 8288 links: first, prev, next, and last where `X-Total-Count` is known; of pages by cursor first and next.')),
};

/** Response headers of an error. */
export const errorResponseHeaders: Headers = {
  ...commonResponseHeaders,
  'Retry-After': whole('Seconds to wait, if known.'),
  'x-should-retry': text('`false` when a retry does not help.'),
};

/** Response headers of an error about a range of a file. */
export const rangeErrorHeaders: Headers = { ...errorResponseHeaders, ...RANGE };

/** Response headers of a throttled operation that counted the request: of the limit with the smallest remaining share. */
const LIMIT: Headers = {
  'X-RateLimit-Limit': whole(
    'Units of a limit in a period. It is the one with the smallest share left: requests of the address of the client, or, once a chat or audio request is admitted, a quota of its key or workspace (requests, tokens or seconds of audio).',
  ),
  'X-RateLimit-Remaining': whole(
    'Units of that limit left in this period, after what was reserved for this request. For a quota with several replicas it is what this one knows: at most so many, because others may have taken more since; what they give back unused is added later.',
  ),
  'X-RateLimit-Reset': whole('Seconds from now until the period ends.'),
};

const DEPRECATION: Headers = {
  Deprecation: always(text('RFC 9745: since when, as `@` and seconds since 1970.')),
  Sunset: text('RFC 8594: when it is gone, as an HTTP date.'),
  Link: always(text('RFC 8288 links: where the deprecation, and the sunset, is explained.')),
};

/** Returns the response headers of a successful answer, with the additional ones of the route. */
export function toSuccessHeaders(headers: Headers, route: RouteSpec): Headers {
  const own = Object.entries(route.responseHeaders ?? {}).map(([name, description]) => [name, always(text(description))] as const);
  const some = Object.entries(route.optionalResponseHeaders ?? {}).map(([name, description]) => [name, text(description)] as const);
  return addRouteHeaders({ ...headers, ...Object.fromEntries([...own, ...some]) }, route);
}

/** Adds the response headers of a throttled or deprecated operation. */
export function addRouteHeaders(headers: Headers, { throttle, deprecated }: RouteSpec): Headers {
  return { ...headers, ...(throttle && LIMIT), ...(deprecated && DEPRECATION) };
}
