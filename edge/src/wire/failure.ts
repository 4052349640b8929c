import { GatewayError, isCondition } from '@parley/protos/errors';
import { z } from 'zod';

/** Why durable work failed, inside the resource it failed in. */
export const failure = z.object({ code: z.string(), message: z.string(), type: z.string(), retryable: z.boolean().nullable() });

/** The wire form of a failure; a condition of another release is an internal error here. */
export function toFailure(error: { condition: string; message: string } | undefined): z.input<typeof failure> {
  const condition = error?.condition ?? '';
  const { code, message, row } = new GatewayError(isCondition(condition) ? condition : 'INTERNAL_ERROR', error?.message ?? '');
  return { code, message, type: row.type, retryable: row.retryable };
}
