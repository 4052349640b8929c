import { type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { conditionalHeaders, rangeHeaders, requestIdHeader } from './components.ts';
import { DETAILS } from './details/index.ts';
import { describeRefusals } from './error-responses.ts';
import { type RouteSpec } from './route-spec.ts';
import { describeSuccess } from './success-responses.ts';
import { toTag } from './tags.ts';

/** A row of the table as an OpenAPI operation. */
export function describeOperation(route: RouteSpec): RouteConfig {
  return {
    method: route.method,
    path: route.path,
    operationId: route.operationId,
    summary: route.summary,
    description: descriptionOf(route),
    tags: [toTag(route.path)],
    ...(route.deprecated && { deprecated: true }),
    security: route.access === 'public' ? [] : [{ [route.access === 'operator' ? 'operatorKey' : 'apiKey']: [] }],
    request: {
      headers: headersOf(route),
      ...(route.params && { params: route.params }),
      ...(route.query && { query: route.query }),
      ...bodyOf(route),
    },
    responses: { ...describeSuccess(route), ...describeRefusals(route) },
  };
}

function descriptionOf(route: RouteSpec): string {
  const { deprecated, scope, throttle } = route;
  const until = deprecated?.sunset === undefined ? '' : ` and gone on ${deprecated.sunset}`;
  return [
    deprecated && `Deprecated since ${deprecated.since}${until}: see ${deprecated.link}.`,
    DETAILS[route.operationId]?.description,
    scope && `Needs the scope \`${scope}\`.`,
    throttle && `Throttled by client address, class \`${throttle}\`.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function bodyOf({ operationId, body, form }: RouteSpec): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  const example = DETAILS[operationId]?.request;
  const described = (schema: NonNullable<typeof body>) => ({ schema, ...(example !== undefined && { example }) });
  if (body) return { body: { required: true, content: { 'application/json': described(body) } } };
  return form ? { body: { required: true, content: { 'multipart/form-data': described(form) } } } : {};
}

function headersOf(route: RouteSpec) {
  if (route.binary) return rangeHeaders;
  if (route.cached) return conditionalHeaders;
  return route.headers ? requestIdHeader.extend(route.headers.shape) : requestIdHeader;
}
