/** Whether a conversation can continue at its upstream (`continuity_status` in the OpenAPI document). */
export const CONTINUITY_STATUSES = [
  'available',
  'deleted_upstream',
  'access_lost',
  'session_expired',
  'continuity_lost',
  'project_unavailable',
  'upstream_unavailable',
] as const;

/** A value of `continuity_status`. */
export type ContinuityStatus = (typeof CONTINUITY_STATUSES)[number];

/** Statuses of the connection, which clear when it recovers; the others describe the conversation and stay. */
export const RECOVERABLE_STATUSES: readonly ContinuityStatus[] = ['session_expired', 'upstream_unavailable'];

/** True for the name of a continuity status. */
export function isContinuityStatus(name: string): name is ContinuityStatus {
  return (CONTINUITY_STATUSES as readonly string[]).includes(name);
}

/**
 * The status of a conversation after a report. A status of the conversation itself is kept when a status of its connection is reported:
 * otherwise the recovery of the connection would hide it. A sync that succeeds reports `available`.
 */
export function mergeContinuity(current: ContinuityStatus, reported: ContinuityStatus): ContinuityStatus {
  const isLost = current !== 'available' && !RECOVERABLE_STATUSES.includes(current);
  return isLost && RECOVERABLE_STATUSES.includes(reported) ? current : reported;
}

/** The current statuses that a report of `reported` replaces. */
export function listReplacedStatuses(reported: ContinuityStatus): ContinuityStatus[] {
  return CONTINUITY_STATUSES.filter((current) => mergeContinuity(current, reported) !== current);
}
