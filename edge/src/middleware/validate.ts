import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';

const MAX_PARAM = 200;

/**
 * The value as the schema gives it.
 * @throws GatewayError VALIDATION_ERROR that names the first parameter at fault, or `fallback` when the value as a whole is
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, fallback: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  const param = path === '' ? fallback : path.slice(0, MAX_PARAM);
  throw new GatewayError('VALIDATION_ERROR', `${param}: ${issue?.message ?? 'not valid'}`, { param });
}

/**
 * The query of a request target as single values.
 * @throws GatewayError VALIDATION_ERROR that names a repeated parameter
 */
export function parseQuery(target: string): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  const start = target.indexOf('?');
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
    if (name in query) {
      const param = name.slice(0, MAX_PARAM);
      throw new GatewayError('VALIDATION_ERROR', `${param}: given more than once`, { param });
    }
    query[name] = value;
  }
  return query;
}
