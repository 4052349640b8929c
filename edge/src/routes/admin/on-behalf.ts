import { type Principal } from '../../middleware/principal.ts';
import { type AuditEntry } from '../../store/audit-log.ts';

/** The operator as a caller who acts inside a workspace. */
export function inWorkspaceOf(principal: Principal, workspaceId: string): Principal {
  return { ...principal, workspaceId };
}

/** The audit entry of what the operator changes. */
export function auditOf(principal: Principal, entry: Pick<AuditEntry, 'action' | 'targetId' | 'workspaceId' | 'details'>): AuditEntry {
  return { actor: 'operator', requestId: principal.requestId, ...entry };
}
