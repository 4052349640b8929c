import { type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { z } from 'zod';

const check = z.object({ ok: z.boolean(), ms: z.int(), detail: z.string().optional() });

/** The response of `/readyz`. */
export const readiness = z
  .object({ status: z.enum(['ready', 'not_ready', 'draining']), checks: z.record(z.string(), check) })
  .meta({ id: 'Readiness' });

/** Converts a readiness report to its JSON form. */
export function toReadiness({ ready, checks }: ReadinessReport, draining: boolean): z.input<typeof readiness> {
  return { status: draining ? 'draining' : ready ? 'ready' : 'not_ready', checks };
}
