import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type UsageServiceService } from '@parley/protos/usage/v1/usage';
import { type Deps } from '../deps.ts';
import { getUsage } from './get-usage.ts';
import { leaseQuota } from './lease-quota.ts';
import { listQuotaUse } from './list-quota-use.ts';
import { listUsageGroups } from './list-usage-groups.ts';
import { settleQuota } from './settle-quota.ts';

/** The handler of each RPC, in the order of `usage.proto`. */
export function handlerTable(deps: Deps): Handlers<typeof UsageServiceService> {
  return {
    getUsage: (request, call) => getUsage(deps, request, call),
    leaseQuota: (request) => leaseQuota(deps, request),
    settleQuota: (request) => settleQuota(deps, request),
    listUsageGroups: (request, call) => listUsageGroups(deps, request, call),
    listQuotaUse: (request) => listQuotaUse(deps, request),
  };
}
