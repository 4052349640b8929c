import { GatewayError, isErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';

/** Why a job or a run failed, as a field of that resource. */
export const failure = z.object({ code: z.string(), message: z.string(), type: z.string(), retryable: z.boolean().nullable() });

/** Converts a failure to its JSON form; a condition that this release does not know becomes INTERNAL_ERROR. */
export function toFailure(error: { condition: string; message: string } | undefined): z.input<typeof failure> {
  const condition = error?.condition ?? '';
  const { code, message, row } = new GatewayError(isErrorCondition(condition) ? condition : 'INTERNAL_ERROR', error?.message ?? '');
  return { code, message, type: row.type, retryable: row.retryable };
}
