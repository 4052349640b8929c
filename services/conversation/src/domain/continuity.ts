/** How an upstream stands to a conversation (spec §2.2). */
export const CONTINUITY_STATUSES = [
  'available',
  'deleted_upstream',
  'access_lost',
  'session_expired',
  'continuity_lost',
  'project_unavailable',
  'upstream_unavailable',
] as const;

/** One of the continuity statuses. */
export type ContinuityStatus = (typeof CONTINUITY_STATUSES)[number];

/** Statuses that say something about the account, so they clear when it recovers; the others stay. */
export const RECOVERABLE: readonly ContinuityStatus[] = ['session_expired', 'upstream_unavailable'];

/** True for the name of a continuity status. */
export function isContinuityStatus(name: string): name is ContinuityStatus {
  return (CONTINUITY_STATUSES as readonly string[]).includes(name);
}

/**
 * The status of a conversation after somebody said another one. What happened to the conversation itself outlasts a trouble of its
 * account: else the account's recovery would make it look as if nothing had happened. A sync that succeeds says `available`.
 */
export function afterSaid(current: ContinuityStatus, said: ContinuityStatus): ContinuityStatus {
  const isLost = current !== 'available' && !RECOVERABLE.includes(current);
  return isLost && RECOVERABLE.includes(said) ? current : said;
}

/** The statuses that are another one after somebody said this one. */
export function changedBy(said: ContinuityStatus): ContinuityStatus[] {
  return CONTINUITY_STATUSES.filter((current) => afterSaid(current, said) !== current);
}
