import { type Database, runQuery } from './client.ts';

/** An entry as it is stored, with its place in the chain. */
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

/** Which entries. */
export interface AuditFilter {
  since?: Date | undefined;
  until?: Date | undefined;
  actorId?: string | undefined;
  /** An action, or the beginning of one up to a dot: `key` has `key.create` and `key.revoke`. */
  action?: string | undefined;
  workspaceId?: string | undefined;
  targetId?: string | undefined;
  requestId?: string | undefined;
  /** Entries before this place. */
  before?: bigint | undefined;
  limit: number;
}

/** Entries, the newest first. */
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

/** An entry with the text that its hash is made of. */
export type ExportedAuditEntry = StoredAuditEntry & { hashed: string };

/** Entries after a place, the oldest first. */
export function readAudit(db: Database, after: bigint, limit: number, workspaceId: string | undefined): Promise<ExportedAuditEntry[]> {
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

/** What is wrong with the chain, at its first place. */
export interface ChainProblem {
  seq: bigint;
  /** `missing`: an entry is not there. `changed`: it is not what was written. `forked`: it does not follow the one before it. */
  problem: 'missing' | 'changed' | 'forked';
}

/** What a part of the chain proved. */
export interface ChainPart {
  entries: number;
  /** The last entry that was read; undefined at the end of the log. */
  last: { seq: bigint; hash: Uint8Array } | undefined;
  problem: ChainProblem | undefined;
}

/** Recomputes the hashes of a part of the chain, in the database: the entries after `before`, which was read last. */
export async function verifyAudit(db: Database, before: { seq: bigint; hash: Uint8Array }, limit: number): Promise<ChainPart> {
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

function toProblem(row: Link, last: { hash: Uint8Array }, expected: bigint): ChainProblem['problem'] | undefined {
  if (row.seq !== expected) return 'missing';
  if (!row.isWhole) return 'changed';
  return Buffer.compare(row.prevHash, last.hash) === 0 ? undefined : 'forked';
}
