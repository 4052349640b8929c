import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { runQuery, type Database } from './client.ts';

/** A value in the details of an entry. */
type Detail = string | number | boolean | string[] | null;

/** A change and its author. Details never hold a secret. */
export interface AuditEntry {
  /** `operator`, `user`, `service_account`, `key`, `system` or `unknown`. */
  actor: string;
  /** Of the user, the service account or the key. */
  actorId?: string | null;
  /** The login session, or the id of the token. */
  sessionId?: string | null;
  /** Of the client. */
  address?: string | null;
  /** `<noun>.<verb>`, e.g. `key.revoke`. */
  action: string;
  workspaceId?: string | undefined;
  targetId: string;
  requestId: string;
  details?: Record<string, Detail | Readonly<Record<string, Detail>>>;
}

/** A wrong credential for the control plane, the first of its address within a minute. */
export interface RefusedOperatorKey {
  /** Address, or the network of an IPv6 address. */
  network: string;
  /** The requested path. */
  path: string;
  requestId: string;
}

/** What a change has changed: its fields before and after, as far as they are texts, numbers or switches. */
export function changedFields(before: object, after: object): { before: Record<string, Detail>; after: Record<string, Detail> } {
  const was = new Map(Object.entries(before));
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const isNews = isDetail(value) && isDetail(was.get(name)) && was.get(name) !== value;
    return isNews ? [[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), was.get(name) as Detail, value] as const] : [];
  });
  return {
    before: Object.fromEntries(changed.map(([name, value]) => [name, value])),
    after: Object.fromEntries(changed.map(([name, , value]) => [name, value])),
  };
}

function isDetail(value: unknown): value is Exclude<Detail, string[]> {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The statement that writes an entry, to run in one transaction with the change it records. */
export function auditStatement(db: Pick<Database, 'auditEntry'>, { details = {}, ...entry }: AuditEntry) {
  return db.auditEntry.create({ data: { id: uuidv7(), ...entry, workspaceId: entry.workspaceId ?? null, details } });
}

/** Writes what was changed in another service. */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await runQuery(auditStatement(db, entry));
}

/** Writes wrong credentials for the control plane, in the background. */
export function createRefusedKeyAudit(db: Database, log: Logger): (guess: RefusedOperatorKey) => void {
  return ({ network, path, requestId }) => {
    const entry = { actor: 'unknown', action: 'operator_key.refuse', targetId: network, requestId, details: { path } };
    writeAudit(db, entry).catch((err: unknown) =>
      log.warn({ err, requestId }, 'a wrong operator key could not be written to the audit log'),
    );
  };
}
