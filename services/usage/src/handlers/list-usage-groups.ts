import { isUuid } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { GatewayError } from '@parley/protos/errors';
import { type ListUsageGroupsRequest, type UsageGroup as UsageGroupMessage, type UsageGroups } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { countRequests } from '../domain/counters.ts';
import { EMPTY_PERCENTILES } from '../domain/latency-buckets.ts';
import { isPeriod, MAX_RANGE_DAYS, PERIODS, type ReportWindow, toDayRangeWindow, toReportWindow } from '../domain/period.ts';
import {
  fillMissingGroups,
  type GroupLatencies,
  isUsageGrouping,
  USAGE_GROUPINGS,
  type UsageGroup,
  type UsageGrouping,
} from '../domain/usage-group.ts';
import { listGroupLatencies } from '../store/group-latencies.ts';
import { listUsageGroups as readGroups } from '../store/usage-groups.ts';

/**
 * Returns the usage of the caller's workspace, or of all workspaces for a caller without one, by group.
 * @throws VALIDATION_ERROR; TENANT_ACCESS_DENIED for a caller with a key
 */
export async function listUsageGroups(
  { store, samples, now }: Deps,
  request: ListUsageGroupsRequest,
  { caller }: Call,
): Promise<UsageGroups> {
  if (caller.keyId !== '') throw new GatewayError('TENANT_ACCESS_DENIED', 'only the operator sees the usage of a workspace');
  const by = requireGrouping(request);
  const window = requireWindow(request, now());
  const { workspaceId } = caller;
  await samples.aggregateAll();
  const read = await readGroups(store.database, by, { workspaceId, keyIds: request.keyIds }, window);
  const groups = by === 'day' || by === 'hour' ? fillMissingGroups(by, read, window) : read;
  const latencies = await listGroupLatencies(store.database, by, { workspaceId, ids: groups.map(({ id }) => id), window });
  return { groups: groups.map((group) => toUsageGroup(group, latencies.get(group.id))) };
}

function requireGrouping({ period, by, keyIds }: ListUsageGroupsRequest): UsageGrouping {
  if (!isUsageGrouping(by)) throw new GatewayError('VALIDATION_ERROR', `by must be one of ${USAGE_GROUPINGS.join(', ')}`, { param: 'by' });
  if (by === 'hour' && period !== '24h') throw new GatewayError('VALIDATION_ERROR', 'by hour, period must be 24h', { param: 'period' });
  if (keyIds.length > 0 && by !== 'key') throw new GatewayError('VALIDATION_ERROR', 'keys are chosen by key only', { param: 'key_ids' });
  if (!keyIds.every(isUuid)) throw new GatewayError('VALIDATION_ERROR', 'key_ids must be UUIDs', { param: 'key_ids' });
  return by;
}

function requireWindow({ period, since, until }: ListUsageGroupsRequest, now: Date): ReportWindow {
  if (since === '' && until === '') {
    if (isPeriod(period)) return toReportWindow(period, now);
    throw new GatewayError('VALIDATION_ERROR', `period must be one of ${PERIODS.join(', ')}`, { param: 'period' });
  }
  const chosen = period === '' ? toDayRangeWindow(since, until) : undefined;
  if (chosen) return chosen;
  throw new GatewayError('VALIDATION_ERROR', `since and until must be days in their order, at most ${MAX_RANGE_DAYS}, without a period`, {
    param: 'since',
  });
}

function toUsageGroup(group: UsageGroup, latencies: GroupLatencies | undefined): UsageGroupMessage {
  const { duration = EMPTY_PERCENTILES, firstToken = EMPTY_PERCENTILES, errors = [] } = latencies ?? {};
  return { ...group, requests: countRequests(group), errorsByCode: errors, duration, firstToken };
}
