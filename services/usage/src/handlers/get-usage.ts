import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type GetUsageRequest, type UsageReport } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { isPeriod, PERIODS, toReportWindow } from '../domain/period.ts';
import { buildReport, toReportScope } from '../domain/report.ts';
import { listUsageRows } from '../store/reports.ts';

/** Returns the usage report of the caller's key, or of all keys for a caller without one. @throws VALIDATION_ERROR for an unknown period. */
export async function getUsage({ store, now }: Deps, { period }: GetUsageRequest, { caller }: Call): Promise<UsageReport> {
  if (!isPeriod(period)) throw new GatewayError('VALIDATION_ERROR', `period must be one of ${PERIODS.join(', ')}`, { param: 'period' });
  const scope = toReportScope(caller);
  const window = toReportWindow(period, now());
  return buildReport(period, scope, window.days, await listUsageRows(store.database, scope, window));
}
