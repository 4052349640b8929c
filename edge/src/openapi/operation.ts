import { type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { conditionalRequestHeaders, rangeRequestHeaders, requestIdHeader, workspaceHeader, workspaceParam } from './components.ts';
import { findOperationDetails } from './details/index.ts';
import { describeErrorResponses } from './error-responses.ts';
import { type RouteSpec } from './route-spec.ts';
import { SECURITY_SCHEME_BY_ACCESS } from './security.ts';
import { describeSuccessResponses } from './success-responses.ts';
import { toTag } from './tags.ts';

/** Converts a route to an OpenAPI operation. */
export function describeOperation(route: RouteSpec): RouteConfig {
  const scheme = SECURITY_SCHEME_BY_ACCESS[route.access];
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [toTag(route)],
    ...(route.deprecated && { deprecated: true }),
    security: scheme === undefined ? [] : [{ [scheme]: [] }],
    request: {
      headers: headersOf(route),
      ...(route.params && { params: route.params }),
      ...queryOf(route),
      ...bodyOf(route),
    },
    responses: { ...describeSuccessResponses(route), ...describeErrorResponses(route) },
  };
}

function descriptionOf(route: RouteSpec): string {
  const { deprecated, permission, scope, throttle } = route;
  const until = deprecated?.sunset === undefined ? '' : ` and gone on ${deprecated.sunset}`;
  return [
    deprecated && `Deprecated since ${deprecated.since}${until}: see ${deprecated.link}.`,
    findOperationDetails(route)?.description,
    scope && `Needs the scope \`${scope}\`.`,
    permission && `Needs the permission \`${permission}\`.`,
    throttle && `Throttled by client address, class \`${throttle}\`.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function bodyOf(route: RouteSpec): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  const { body, form, isUrlEncoded } = route;
  const example = findOperationDetails(route)?.request;
  const described = (schema: NonNullable<typeof body>) => ({ schema, ...(example !== undefined && { example }) });
  if (body)
    return {
      body: { required: true, content: { [isUrlEncoded ? 'application/x-www-form-urlencoded' : 'application/json']: described(body) } },
    };
  return form ? { body: { required: true, content: { 'multipart/form-data': described(form) } } } : {};
}

/** The query parameters of the route; an operation for people also accepts the workspace as one. */
function queryOf({ query, mirrors }: RouteSpec): { query?: z.ZodObject } {
  if (mirrors) return { query: z.object({ ...query?.shape, ...workspaceParam }) };
  return query ? { query } : {};
}

function headersOf(route: RouteSpec): z.ZodObject {
  const { mirrors } = route;
  return mirrors ? ownHeadersOf(mirrors).extend(workspaceHeader) : ownHeadersOf(route);
}

function ownHeadersOf(route: RouteSpec): z.ZodObject {
  if (route.binary) return rangeRequestHeaders;
  if (route.hasEtag) return conditionalRequestHeaders;
  return route.headers ? requestIdHeader.extend(route.headers.shape) : requestIdHeader;
}
