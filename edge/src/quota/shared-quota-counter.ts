import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { counter } from '@parley/kit/telemetry/meter';
import { type Clients } from '../clients.ts';
import { type Quota } from '../config/quota-policy.ts';

/** One operation on a lease; `move` numbers the operations, so that a repeated one is not applied twice. */
export interface LeaseOperation {
  leaseId: string;
  move: number;
}

/**
 * A granted block: its units, the units that are left for further blocks of all edges, and the end of its window on the monotonic clock of
 * this process; undefined when the window had already ended.
 */
export type LeasedBlock = { granted: number; left: number; endsAt: number } | undefined;

/** The shared counter of all edges. Both methods reject with a GatewayError when it does not answer. */
export interface SharedQuotaCounter {
  lease(move: LeaseOperation, quota: Quota, needed: number, wanted: number): Promise<LeasedBlock>;
  settle(move: LeaseOperation, unused: number): Promise<void>;
}

/** Deadlines in milliseconds: with both, a waiting client gets its answer within two seconds. */
const LEASE_MS = 1_300;
const SETTLE_MS = 400;

const FAILURES = counter('parley_quota_failures_total');
const NO_LABELS = {};

/** Returns the counter in the usage service. */
export function createSharedQuotaCounter(usage: Pick<Clients['usage'], 'leaseQuota' | 'settleQuota'>): SharedQuotaCounter {
  return {
    lease: async (move, { kind, id, metric, limit, policy }, needed, wanted) => {
      const askedAt = performance.now();
      const request = { ...move, subject: { kind, id, metric }, limit, windowSeconds: policy.seconds, needed, wanted };
      const { granted, left, windowEndsInMs } = await usage
        .leaseQuota(request, { caller: SYSTEM_CALLER, deadlineMs: LEASE_MS })
        .catch(failed);
      // Counted from the request, so the window ends here no later than in the database.
      return windowEndsInMs > 0 ? { granted, left, endsAt: askedAt + windowEndsInMs } : undefined;
    },
    settle: async (move, unused) =>
      void (await usage.settleQuota({ ...move, unused }, { caller: SYSTEM_CALLER, deadlineMs: SETTLE_MS }).catch(failed)),
  };
}

function failed(error: unknown): never {
  FAILURES.add(NO_LABELS);
  throw error;
}
