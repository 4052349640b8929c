/** Of what is left a holder gets one part in so many, so that all of them have some to the end. */
const SHARES = 8;

/** A block that a holder asks for. */
export interface Demand {
  limit: number;
  /** Less is of no use. */
  needed: number;
  wanted: number;
}

/**
 * How much of a quota a holder gets when so much is used: what it wants, but no more than a share of what is left; what it needs where that
 * is more than its share; nothing where less than that is left.
 */
export function grantOf({ limit, needed, wanted }: Demand, used: number): number {
  const left = limit - used;
  if (left <= 0 || left < needed) return 0;
  return Math.max(needed, Math.min(wanted, Math.ceil(left / SHARES)));
}
