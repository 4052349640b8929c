import { z } from 'zod';
import { type Reply } from '../route.ts';

/** The response of `/livez`. */
export const liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

/** Answers 200 as long as the process runs, also while it drains. */
export function live(): Reply<z.input<typeof liveness>> {
  return { body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } };
}
