import { type Principal } from '../middleware/principal.ts';
import { type AuditEntry } from '../store/audit-log.ts';

/** Returns the audit entry of a change by the principal; the actor is `unknown` when it has none. */
export function toAuditEntry(principal: Principal, entry: Pick<AuditEntry, 'action' | 'targetId' | 'workspaceId' | 'details'>): AuditEntry {
  const { kind = 'unknown', id = null, sessionId = null, address = null } = principal.actor ?? {};
  return { actor: kind, actorId: id, sessionId, address, requestId: principal.requestId, ...entry };
}
