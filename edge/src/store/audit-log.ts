import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { runQuery, type Database } from './client.ts';

/** A value in the details of an audit entry. */
type Detail = string | number | boolean | string[] | null;

/** An entry for the audit log: a change and its author. Details never contain a secret. */
export interface AuditEntry {
  /** `operator`, `user`, `service_account`, `key`, `system` or `unknown`. */
  actor: string;
  /** Id of the user, the service account or the key. */
  actorId?: string | null;
  /** Id of the login session or of the token. */
  sessionId?: string | null;
  /** IP address of the client. */
  address?: string | null;
  /** `<noun>.<verb>`, e.g. `key.revoke`. */
  action: string;
  workspaceId?: string | undefined;
  targetId: string;
  requestId: string;
  details?: Record<string, Detail | Readonly<Record<string, Detail>>>;
}

/** A wrong credential for the control plane; recorded at most once per address and minute. */
export interface RefusedOperatorKey {
  /** IPv4 address, or the /64 network of an IPv6 address. */
  network: string;
  /** The requested path without its query. */
  path: string;
  requestId: string;
}

/**
 * Returns the changed fields of a row before and after, with names in snake_case; only strings, numbers, booleans and null are compared.
 */
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

/** Returns the statement that writes an audit entry, to run in the transaction of the change that it records. */
export function auditStatement(db: Pick<Database, 'auditEntry'>, { details = {}, ...entry }: AuditEntry) {
  return db.auditEntry.create({ data: { id: uuidv7(), ...entry, workspaceId: entry.workspaceId ?? null, details } });
}

/** Writes an entry outside a transaction, for a change in another service. */
export async function writeAudit(db: Database, entry: AuditEntry): Promise<void> {
  await runQuery(auditStatement(db, entry));
}

/** Returns a function that writes an audit entry for a wrong credential of the control plane in the background; a failure is logged. */
export function createRefusedKeyRecorder(db: Database, log: Logger): (guess: RefusedOperatorKey) => void {
  return ({ network, path, requestId }) => {
    const entry = { actor: 'unknown', action: 'operator_key.refuse', targetId: network, requestId, details: { path } };
    writeAudit(db, entry).catch((err: unknown) =>
      log.warn({ err, requestId }, 'a wrong operator key could not be written to the audit log'),
    );
  };
}
