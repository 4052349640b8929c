import { type Database, runQuery } from './client.ts';

/** A stored audit entry with its position and its hashes in the chain. */
export interface StoredAuditEntry {
  seq: bigint;
  id: string;
  at: Date;
  actor: string;
  actorId: string | null;
  sessionId: string | null;
  address: string | null;
  action: string;
  workspaceId: string | null;
  targetId: string;
  requestId: string;
  details: unknown;
  prevHash: Uint8Array;
  hash: Uint8Array;
}

/** Selects entries of the audit log; absent fields match all. */
export interface AuditFilter {
  since?: Date | undefined;
  until?: Date | undefined;
  actorId?: string | undefined;
  /** An action, or its prefix up to a dot: `key` matches `key.create` and `key.revoke`. */
  action?: string | undefined;
  workspaceId?: string | undefined;
  targetId?: string | undefined;
  requestId?: string | undefined;
  /** Only entries with a smaller `seq`. */
  before?: bigint | undefined;
  limit: number;
}

/** Returns the entries that match, newest first. */
export function listAudit(db: Database, filter: AuditFilter): Promise<StoredAuditEntry[]> {
  const { since, until, action, before, limit } = filter;
  return runQuery(
    db.auditEntry.findMany({
      where: {
        at: { ...(since && { gte: since }), ...(until && { lt: until }) },
        ...(filter.actorId !== undefined && { actorId: filter.actorId }),
        ...(action !== undefined && { OR: [{ action }, { action: { startsWith: `${action}.` } }] }),
        ...(filter.workspaceId !== undefined && { workspaceId: filter.workspaceId }),
        ...(filter.targetId !== undefined && { targetId: filter.targetId }),
        ...(filter.requestId !== undefined && { requestId: filter.requestId }),
        ...(before !== undefined && { seq: { lt: before } }),
      },
      orderBy: { seq: 'desc' },
      take: limit,
    }),
  );
}

/** An entry with the text from which its hash is computed. */
export type ExportedAuditEntry = StoredAuditEntry & { hashed: string };

/** Returns up to `limit` entries after a `seq`, oldest first; of one workspace, or all. */
export function listAuditForExport(
  db: Database,
  after: bigint,
  limit: number,
  workspaceId: string | undefined,
): Promise<ExportedAuditEntry[]> {
  return runQuery(
    db.$queryRaw<ExportedAuditEntry[]>`
      SELECT a.seq, a.id, a.at, a.actor, a.actor_id AS "actorId", a.session_id AS "sessionId", a.address, a.action,
             a.workspace_id AS "workspaceId", a.target_id AS "targetId", a.request_id AS "requestId", a.details,
             a.prev_hash AS "prevHash", a.hash, audit_text(a) AS hashed
      FROM audit_log a
      WHERE a.seq > ${after} AND (${workspaceId ?? null}::uuid IS NULL OR a.workspace_id = ${workspaceId ?? null}::uuid)
      ORDER BY a.seq LIMIT ${limit}`,
  );
}

/** The first inconsistency of the chain. */
export interface AuditChainProblem {
  seq: bigint;
  /**
   * `missing`: an entry does not exist. `changed`: its content does not match its hash. `forked`: its previous hash is not that of the
   * entry before it.
   */
  problem: 'missing' | 'changed' | 'forked';
}

/** The result of verifying a part of the chain. */
export interface AuditChainResult {
  entries: number;
  /** The last entry that was verified; undefined at the end of the log. */
  last: { seq: bigint; hash: Uint8Array } | undefined;
  problem: AuditChainProblem | undefined;
}

/** Recomputes the hashes of up to `limit` entries after `before`, in the database; `before` is the last verified entry. */
export async function verifyAuditChain(db: Database, before: { seq: bigint; hash: Uint8Array }, limit: number): Promise<AuditChainResult> {
  const rows = await runQuery(
    db.$queryRaw<{ seq: bigint; hash: Uint8Array; prevHash: Uint8Array; isWhole: boolean }[]>`
      SELECT a.seq, a.hash, a.prev_hash AS "prevHash", a.hash = audit_hash(a) AS "isWhole"
      FROM audit_log a WHERE a.seq > ${before.seq} ORDER BY a.seq LIMIT ${limit}`,
  );
  let last = before;
  for (const row of rows) {
    const expected = last.seq + 1n;
    const problem = toProblem(row, last, expected);
    if (problem) return { entries: rows.length, last, problem: { seq: problem === 'missing' ? expected : row.seq, problem } };
    last = { seq: row.seq, hash: row.hash };
  }
  return { entries: rows.length, last: rows.length === 0 ? undefined : last, problem: undefined };
}

type Link = { seq: bigint; prevHash: Uint8Array; isWhole: boolean };

function toProblem(row: Link, last: { hash: Uint8Array }, expected: bigint): AuditChainProblem['problem'] | undefined {
  if (row.seq !== expected) return 'missing';
  if (!row.isWhole) return 'changed';
  return Buffer.compare(row.prevHash, last.hash) === 0 ? undefined : 'forked';
}
