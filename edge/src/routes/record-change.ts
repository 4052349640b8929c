import { toGatewayError } from '@parley/protos/errors';
import { type Principal } from '../middleware/principal.ts';
import { type AuditEntry, writeAudit } from '../store/audit-log.ts';
import { toAuditEntry } from './audit-entry.ts';
import { type RouteDeps } from './deps.ts';

/** Target id of a resource that has no id yet. */
const NEW = 'new';

/** From this status on, an error does not mean that nothing was changed: CANCELLED, a deadline, an unavailable service. */
const UNCERTAIN_STATUS = 499;

/** A change that another service makes, with its audit entry. */
export interface RemoteChange<T> extends Pick<AuditEntry, 'action' | 'workspaceId' | 'details'> {
  /** Absent for a new resource that gets its id from the service. */
  targetId?: string;
  /** Makes the change. */
  make: () => Promise<T>;
  /** Returns the fields of the entry that are known only afterwards; its details are added. */
  toAuditFields?: (result: T) => Partial<Pick<AuditEntry, 'action' | 'targetId' | 'details'>>;
}

/**
 * Makes a change in another service between two audit entries, because no transaction spans both: one with the outcome `begun` before it,
 * and one with `done`, `refused` or `unknown` after it. Nothing is changed when the first cannot be written; when the edge crashes in
 * between, only the first exists.
 * @throws GatewayError SERVICE_UNAVAILABLE when the first entry cannot be written, or what the change throws
 */
export async function recordChange<T>(
  principal: Principal,
  { db, log }: Pick<RouteDeps, 'db' | 'log'>,
  change: RemoteChange<T>,
): Promise<T> {
  const { make, toAuditFields, targetId = NEW, details, ...named } = change;
  const write = (outcome: string, more: ReturnType<NonNullable<typeof toAuditFields>> = {}) =>
    writeAudit(db, toAuditEntry(principal, { ...named, targetId, ...more, details: { outcome, ...details, ...more.details } }));
  await write('begun');
  const conclude = async (...entry: Parameters<typeof write>) => {
    try {
      await write(...entry);
    } catch (err) {
      // The change has its first entry; the caller gets the result of the change, not of the log.
      log.error({ err, requestId: principal.requestId, action: change.action }, 'the outcome of a change is not in the audit log');
    }
  };
  let result: T;
  try {
    result = await make();
  } catch (error) {
    const { row, code } = toGatewayError(error);
    await conclude(row.http < UNCERTAIN_STATUS ? 'refused' : 'unknown', { details: { code } });
    throw error;
  }
  await conclude('done', toAuditFields?.(result));
  return result;
}
