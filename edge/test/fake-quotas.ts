import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { GatewayError } from '@parley/protos/errors';
import { type UsageServiceService } from '@parley/protos/usage/v1/usage';

type QuotaHandlers = Pick<Handlers<typeof UsageServiceService>, 'leaseQuota' | 'settleQuota' | 'listQuotaUse'>;
type LeaseRequest = Parameters<QuotaHandlers['leaseQuota']>[0];

const HOUR = 3_600_000;

/** The counter of quotas, played: the rules of the real one, with a window that ends when a test says so. */
export class FakeQuotas {
  /** Grants that were asked for, refused ones included. */
  readonly leases: LeaseRequest[] = [];
  settlements = 0;
  isAway = false;
  windowEndsInMs = HOUR;
  /** What is asked is answered in a later round of the event loop, as over a wire. */
  delay: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve));
  readonly #used = new Map<string, number>();
  readonly #held = new Map<string, { key: string; move: number; moved: number }>();

  used(id: string, metric = 'requests'): number {
    return this.#used.get(`${id} ${metric}`) ?? 0;
  }

  /** A new window: nothing is used. */
  beginWindow(): void {
    this.#used.clear();
    this.#held.clear();
  }

  handlers(): QuotaHandlers {
    return {
      leaseQuota: async (request) => {
        this.leases.push(request);
        if (this.isAway) throw new GatewayError('SERVICE_UNAVAILABLE', 'away');
        const granted = this.#lease(request);
        const left = request.limit - this.used(request.subject?.id ?? '', request.subject?.metric);
        await this.delay();
        return { granted, windowEndsInMs: this.windowEndsInMs, left };
      },
      listQuotaUse: async ({ quotas }) => {
        if (this.isAway) throw new GatewayError('SERVICE_UNAVAILABLE', 'away');
        return {
          uses: quotas.map(({ subject }) => ({ used: this.used(subject?.id ?? '', subject?.metric), windowEndsInMs: this.windowEndsInMs })),
        };
      },
      settleQuota: async ({ leaseId, move, unused }) => {
        const lease = this.#held.get(leaseId);
        if (this.isAway) throw new GatewayError('SERVICE_UNAVAILABLE', 'away');
        if (!lease || move <= lease.move) return {};
        this.settlements++;
        lease.move = move;
        this.#used.set(lease.key, (this.#used.get(lease.key) ?? 0) - unused);
        return {};
      },
    };
  }

  #lease({ leaseId, move, subject, limit, needed, wanted }: LeaseRequest): number {
    const key = `${subject?.id} ${subject?.metric}`;
    const lease = this.#held.get(leaseId) ?? { key, move: 0, moved: 0 };
    if (move <= lease.move) return move === lease.move ? lease.moved : 0;
    const used = this.#used.get(key) ?? 0;
    const left = limit - used;
    const granted = left < needed ? 0 : Math.max(needed, Math.min(wanted, Math.ceil(left / 8)));
    this.#held.set(leaseId, { key, move, moved: granted });
    this.#used.set(key, used + granted);
    return granted;
  }
}
