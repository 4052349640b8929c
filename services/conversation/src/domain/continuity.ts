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
export const RECOVERABLE_STATUSES: readonly ContinuityStatus[] = ['session_expired', 'upstream_unavailable'];

/** True for the name of a continuity status. */
export function isContinuityStatus(name: string): name is ContinuityStatus {
  return (CONTINUITY_STATUSES as readonly string[]).includes(name);
}

/**
 * The status of a conversation after somebody said another one. What happened to the conversation itself outlasts a trouble of its
 * account: else the account's recovery would make it look as if nothing had happened. A sync that succeeds says `available`.
 */
export function mergeContinuity(current: ContinuityStatus, reported: ContinuityStatus): ContinuityStatus {
  const isLost = current !== 'available' && !RECOVERABLE_STATUSES.includes(current);
  return isLost && RECOVERABLE_STATUSES.includes(reported) ? current : reported;
}

/** The statuses that are another one after somebody said this one. */
export function statusesReplacedBy(reported: ContinuityStatus): ContinuityStatus[] {
  return CONTINUITY_STATUSES.filter((current) => mergeContinuity(current, reported) !== current);
}

/** The status of a conversation after its account recovered. */
export function toRecovered(current: ContinuityStatus): ContinuityStatus {
  return RECOVERABLE_STATUSES.includes(current) ? 'available' : current;
}
