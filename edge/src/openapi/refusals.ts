import { type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { CATALOGUE } from '@parley/protos/catalogue';
import { type Condition } from '@parley/protos/errors';
import { type RouteFacts } from '../routes/route-facts.ts';
import { errorEnvelope, errorHeaders, throttled, throttledHeaders } from './components.ts';

const OF_KEYS: readonly Condition[] = [
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
const OF_BODIES: readonly Condition[] = ['REQUEST_TIMEOUT', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const OF_FORMS: readonly Condition[] = ['REQUEST_TIMEOUT', 'FILE_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Errors of one status; the extension travels into the document as it is. */
type Refusal = ResponseConfig & { 'x-error-codes'?: string[] };

/** The errors of an operation by status, each with its codes in words and, for machines, in `x-error-codes`. */
export function describeRefusals(route: RouteFacts): Record<string, Refusal> {
  const codes = new Map<number, Set<string>>();
  for (const condition of conditionsOf(route)) {
    const { http, code } = CATALOGUE[condition];
    codes.set(http, (codes.get(http) ?? new Set()).add(code));
  }
  const described = [...codes].map(([status, known]) => [status, refusal(status, [...known])] as const);
  return { ...Object.fromEntries(described), default: error('Any other error; see `error.code`.') };
}

function conditionsOf(route: RouteFacts): Condition[] {
  const isChecked = route.params ?? route.query ?? route.body ?? route.form;
  return [
    ...(route.access === 'public' ? [] : OF_KEYS),
    ...(route.scope ? (['MISSING_SCOPE', 'TENANT_ACCESS_DENIED'] as const) : []),
    ...(route.access === 'operator' ? (['TENANT_ACCESS_DENIED'] as const) : []),
    ...(isChecked ? (['VALIDATION_ERROR'] as const) : []),
    ...(route.body ? OF_BODIES : []),
    ...(route.form ? OF_FORMS : []),
    ...(route.bounded ? (['RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(route.throttle ? [route.throttledAs ?? 'RATE_LIMIT_EXCEEDED'] : []),
    ...(route.errors ?? []),
  ];
}

function refusal(status: number, codes: string[]): Refusal {
  const described = error(`\`error.code\` is ${codes.map((code) => `\`${code}\``).join(' or ')}.`);
  const isThrottled = codes.includes(CATALOGUE.RATE_LIMIT_EXCEEDED.code);
  const isSpecial = codes.includes(CATALOGUE.TRANSCRIPTION_RATE_LIMIT.code);
  return {
    ...described,
    ...((isThrottled || isSpecial) && { headers: throttledHeaders }),
    ...(isThrottled && { content: { 'application/json': { schema: throttled } } }),
    'x-error-codes': codes,
  };
}

function error(description: string): ResponseConfig {
  return { description, headers: errorHeaders, content: { 'application/json': { schema: errorEnvelope } } };
}
