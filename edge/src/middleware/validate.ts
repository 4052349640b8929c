import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findFirstArrayIssue, type ValidationIssue } from './find-first-array-issue.ts';

const MAX_PARAM = 200;

/**
 * Returns the value as the schema parses it.
 * @throws GatewayError VALIDATION_ERROR that names the first invalid parameter, or `fallback` when the error has no path
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, fallback: string): z.output<S> {
  const early = findFirstArrayIssue(schema, value);
  if (early) throw refusalOf(early, fallback);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusalOf(result.error.issues[0], fallback);
}

function refusalOf(issue: ValidationIssue | undefined, fallback: string): GatewayError {
  const path = issue?.path.map(String).join('.') ?? '';
  const param = path === '' ? fallback : path.slice(0, MAX_PARAM);
  return new GatewayError('VALIDATION_ERROR', `${param}: ${issue?.message ?? 'not valid'}`, { param });
}
