import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Clients } from '../clients.ts';
import { type Quota } from '../config/quota-policy.ts';

/** A numbered operation on a lease. */
export interface LeaseMove {
  leaseId: string;
  move: number;
}

/** A granted block: its units, and its end by the monotonic clock of this process; undefined when its window was over already. */
export type Block = { granted: number; endsAt: number } | undefined;

/** The counter that all edges share. Both methods reject with a GatewayError when it does not answer. */
export interface Leaser {
  lease(move: LeaseMove, quota: Quota, needed: number, wanted: number): Promise<Block>;
  settle(move: LeaseMove, unused: number): Promise<void>;
}

/** Together they leave a waiting client its answer within two seconds. */
const LEASE_MS = 1_300;
const SETTLE_MS = 400;

/** The counter of the usage service. */
export function createLeaser(usage: Pick<Clients['usage'], 'leaseQuota' | 'settleQuota'>): Leaser {
  return {
    lease: async (move, { kind, id, metric, limit, policy }, needed, wanted) => {
      const askedAt = performance.now();
      const request = { ...move, subject: { kind, id, metric }, limit, windowSeconds: policy.seconds, needed, wanted };
      const { granted, windowEndsInMs } = await usage.leaseQuota(request, { caller: SYSTEM_CALLER, deadlineMs: LEASE_MS });
      // Counted from the request, the window ends here no later than in the database.
      return windowEndsInMs > 0 ? { granted, endsAt: askedAt + windowEndsInMs } : undefined;
    },
    settle: async (move, unused) => void (await usage.settleQuota({ ...move, unused }, { caller: SYSTEM_CALLER, deadlineMs: SETTLE_MS })),
  };
}
