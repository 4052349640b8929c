import { uuidv7 } from '@parley/kit/ids/uuid';
import { asked, type Database } from './client.ts';

/** Who changed what. Details never hold a secret. */
export interface AuditEntry {
  actor: string;
  /** `<noun>.<verb>`, e.g. `key.revoke`. */
  action: string;
  workspaceId?: string | undefined;
  targetId: string;
  requestId: string;
  details?: Record<string, string | number | boolean | string[] | null>;
}

/** The statement that writes an entry, to stand in one transaction with the change it tells of. */
export function auditStatement(db: Pick<Database, 'auditEntry'>, { details = {}, ...entry }: AuditEntry) {
  return db.auditEntry.create({ data: { id: uuidv7(), ...entry, workspaceId: entry.workspaceId ?? null, details } });
}

/** Writes what was changed in another service. */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await asked(auditStatement(db, entry));
}
