/** A holder gets at most 1/8 of the remaining quota, so that other holders get some too. */
const SHARES = 8;

/** The block that a holder requests. */
export interface QuotaDemand {
  limit: number;
  /** The smallest useful grant. */
  needed: number;
  wanted: number;
}

/**
 * Returns the grant for a counter at `used`: what the holder wants, limited to its share of the rest; its minimum if that exceeds the
 * share; 0 if less than the minimum is left.
 */
export function calculateGrant({ limit, needed, wanted }: QuotaDemand, used: number): number {
  const left = limit - used;
  if (left <= 0 || left < needed) return 0;
  return Math.max(needed, Math.min(wanted, Math.ceil(left / SHARES)));
}
