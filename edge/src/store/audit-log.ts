import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { runQuery, type Database } from './client.ts';

/** A change and its author. Details never hold a secret. */
export interface AuditEntry {
  actor: string;
  /** `<noun>.<verb>`, e.g. `key.revoke`. */
  action: string;
  workspaceId?: string | undefined;
  targetId: string;
  requestId: string;
  details?: Record<string, string | number | boolean | string[] | null>;
}

/** A wrong key for the operator's surface, the first of its address within a minute. */
export interface RefusedOperatorKey {
  /** Address, or the network of an IPv6 address. */
  network: string;
  /** The requested path. */
  path: string;
}

/** The statement that writes an entry, to run in one transaction with the change it records. */
export function auditStatement(db: Pick<Database, 'auditEntry'>, { details = {}, ...entry }: AuditEntry) {
  return db.auditEntry.create({ data: { id: uuidv7(), ...entry, workspaceId: entry.workspaceId ?? null, details } });
}

/** Writes what was changed in another service. */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await runQuery(auditStatement(db, entry));
}

/** Writes wrong keys for the operator's surface, in the background. */
export function createRefusedKeyAudit(db: Database, log: Logger): (guess: RefusedOperatorKey) => void {
  return ({ network, path }) => {
    const entry = { actor: 'unknown', action: 'operator_key.refuse', targetId: network, requestId: '', details: { path } };
    writeAudit(db, entry).catch((err: unknown) => log.warn({ err }, 'a wrong operator key could not be written to the audit log'));
  };
}
