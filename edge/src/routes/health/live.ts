import { z } from 'zod';
import { type Reply } from '../route.ts';

/** That the process answers. */
export const liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

/** Says that the process answers; also while it drains. */
export function live(): Reply<z.input<typeof liveness>> {
  return { body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } };
}
