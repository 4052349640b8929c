import { type z } from 'zod';
import { type readiness, toReadiness } from '../../wire/readiness.ts';
import { type RouteDeps } from '../deps.ts';
import { type Input, type Reply } from '../route.ts';

/** Returns the readiness of the edge and its services; 503 while the edge cannot serve, and at once when it drains. */
export async function ready(_input: Input, deps: RouteDeps): Promise<Reply<z.input<typeof readiness>>> {
  const report = await deps.readiness.report();
  const draining = deps.readiness.isDraining;
  return {
    status: report.ready && !draining ? 200 : 503,
    body: toReadiness(report, draining),
    headers: { 'cache-control': 'no-store' },
  };
}
