import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { call } from './http.ts';
import { type Gateway } from './parley.ts';

/** No promise to anybody: how long a test waits for parts that are started again, on however busy a machine. */
export const WHOLE_MS = 60_000;

const probe = z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.object({ ok: z.literal(true) })) });

/** Waits until every part of a gateway is well, those that it can do without too: the test before may have killed some. */
export async function becomesWhole(gateway: Pick<Gateway, 'url'>): Promise<void> {
  await waitFor(async () => probe.parse((await call(gateway, 'GET', '/readyz')).json), { timeoutMs: WHOLE_MS, everyMs: 100 });
}
