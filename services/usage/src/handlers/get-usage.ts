import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type GetUsageRequest, type UsageReport } from '@parley/protos/usage/v1/usage';
import { isPeriod, PERIODS, windowOf } from '../domain/period.ts';
import { assemble, scopeOf } from '../domain/report.ts';
import { type Reports } from '../store/reports.ts';

/** Answers the usage report of spec §2.9 for the caller's key, or for all keys when the caller has none. Unknown period → VALIDATION_ERROR. */
export function getUsage(reports: Reports, now: () => Date) {
  return async ({ period }: GetUsageRequest, { caller }: Call): Promise<UsageReport> => {
    if (!isPeriod(period)) throw new GatewayError('VALIDATION_ERROR', `period must be one of ${PERIODS.join(', ')}`, { param: 'period' });
    const scope = scopeOf(caller);
    const window = windowOf(period, now());
    return assemble(period, scope, window.days, await reports.rows(scope, window));
  };
}
