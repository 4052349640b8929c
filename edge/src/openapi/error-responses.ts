import { type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { ERROR_CATALOGUE, type ErrorRow } from '@parley/protos/error-catalogue';
import { type ErrorCondition } from '@parley/protos/errors';
import { type z } from 'zod';
import { errorEnvelope } from '../wire/error.ts';
import { errorResponseHeaders, addRouteHeaders, rangeErrorHeaders, throttledResponse } from './components.ts';
import { type RouteSpec } from './route-spec.ts';

const KEY_ERRORS: readonly ErrorCondition[] = [
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'EXPIRED_API_KEY',
  'REVOKED_API_KEY',
  'USER_NOT_ACTIVE',
  'WORKSPACE_DISABLED',
  'SERVICE_UNAVAILABLE',
  'SHUTTING_DOWN',
  'TIMEOUT',
];
const SERVER_ERRORS: readonly ErrorCondition[] = ['SERVICE_UNAVAILABLE', 'SHUTTING_DOWN', 'TIMEOUT'];
const ACCESS_ERRORS: Readonly<Record<RouteSpec['access'], readonly ErrorCondition[]>> = {
  public: [],
  visitor: ['CSRF_REJECTED', ...SERVER_ERRORS],
  provider: SERVER_ERRORS,
  key: KEY_ERRORS,
  session: ['SIGN_IN_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'CSRF_REJECTED', ...SERVER_ERRORS],
  admin: ['INVALID_ADMIN_TOKEN', 'SECOND_FACTOR_REQUIRED', ...SERVER_ERRORS],
};
/** Error codes when a person calls an operation of `/v1`: of the choice of the workspace, and of resources of another one. */
const ME_ROUTE_ERRORS: readonly ErrorCondition[] = ['VALIDATION_ERROR', 'WORKSPACE_DISABLED', 'TENANT_ACCESS_DENIED'];
const BODY_ERRORS: readonly ErrorCondition[] = ['REQUEST_TIMEOUT', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMIT_EXCEEDED'];
const FORM_ERRORS: readonly ErrorCondition[] = ['REQUEST_TIMEOUT', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Error codes of any request, independent of its operation: malformed HTTP, or a failure of the gateway. */
const GENERAL_ERRORS: readonly ErrorCondition[] = [
  'INVALID_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'REQUEST_TOO_LARGE',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'NOT_IMPLEMENTED',
  'SHUTTING_DOWN',
];

const THROTTLED = { error: 'Rate limit exceeded: 60 per 1 minute' };

/** The error response of one status; the extension is written to the document unchanged. */
type Refusal = ResponseConfig & { 'x-error-codes'?: string[] };

/** Returns the error responses of an operation by status; each lists its codes in words and, for machines, in `x-error-codes`. */
export function describeErrorResponses(route: RouteSpec): Record<string, Refusal> {
  const described = [...byStatus(conditionsOf(route))].map(([status, rows]) => [status, refusal(route, rows)] as const);
  return { ...Object.fromEntries(described), ...general(route) };
}

function conditionsOf(route: RouteSpec): ErrorCondition[] {
  const isChecked = route.params ?? route.query ?? route.body ?? route.form;
  return [
    ...ACCESS_ERRORS[route.access],
    ...(route.scope ? (['MISSING_SCOPE', 'TENANT_ACCESS_DENIED'] as const) : []),
    ...(route.permission ? (['PERMISSION_DENIED'] as const) : []),
    ...(route.mirrors ? ME_ROUTE_ERRORS : []),
    ...(isChecked ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.body ? BODY_ERRORS : []),
    ...(route.form ? FORM_ERRORS : []),
    ...(route.limitsConcurrency ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(route.throttle ? [route.throttleCondition ?? 'RATE_LIMIT_EXCEEDED'] : []),
    ...(route.errors ?? []),
  ];
}

function byStatus(conditions: readonly ErrorCondition[]): Map<number, ErrorRow[]> {
  const rows = new Map<number, ErrorRow[]>();
  for (const condition of new Set(conditions)) {
    const row = ERROR_CATALOGUE[condition];
    rows.set(row.http, [...(rows.get(row.http) ?? []), row]);
  }
  return rows;
}

function general(route: RouteSpec): Record<string, Refusal> {
  const rowsOf = (isOurs: boolean) =>
    GENERAL_ERRORS.map((condition): ErrorRow => ERROR_CATALOGUE[condition]).filter(({ http }) => http >= 500 === isOurs);
  return {
    '4XX': error(route, rowsOf(false), 'The request does not fit this API. '),
    '5XX': error(route, rowsOf(true), 'The gateway failed. '),
  };
}

function refusal(route: RouteSpec, rows: readonly ErrorRow[]): Refusal {
  const isThrottled = rows.includes(ERROR_CATALOGUE.RATE_LIMIT_EXCEEDED);
  return {
    ...error(route, rows),
    ...(isThrottled && { content: { 'application/json': { schema: throttledResponse, example: THROTTLED } } }),
  };
}

function error(route: RouteSpec, rows: readonly ErrorRow[], why = ''): Refusal {
  const codes = [...new Set(rows.map(({ code }) => code))];
  return {
    description: `${why}\`error.code\` is ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
    headers: addRouteHeaders(rows.includes(ERROR_CATALOGUE.RANGE_NOT_SATISFIABLE) ? rangeErrorHeaders : errorResponseHeaders, route),
    content: { 'application/json': { schema: errorEnvelope, example: exampleOf(rows[0]) } },
    'x-error-codes': codes,
  };
}

function exampleOf({ code, type, retryable }: ErrorRow = ERROR_CATALOGUE.INTERNAL_ERROR): z.input<typeof errorEnvelope> {
  return { error: { code, message: 'What is wrong, in words.', type, request_id: 'trip-planner-42', retryable } };
}
