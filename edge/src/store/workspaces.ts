import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { type Page, type QuotaChange } from './keys.ts';

/** A tenant. */
export interface StoredWorkspace {
  id: string;
  name: string;
  /** `active` or `disabled`. */
  status: string;
  quotaRequests: string | null;
  quotaTokens: string | null;
  quotaAudioSeconds: string | null;
  createdAt: Date;
  /** Its concurrent requests at each edge; null: as configured. */
  maxConcurrency: number | null;
}

const VISIBLE = {
  id: true,
  name: true,
  status: true,
  quotaRequests: true,
  quotaTokens: true,
  quotaAudioSeconds: true,
  createdAt: true,
  maxConcurrency: true,
} as const;

/** Workspaces, oldest first. */
export async function listWorkspaces(db: Database, page: { limit: number; offset: number }): Promise<Page<StoredWorkspace>> {
  const [rows, total] = await runQuery(
    db.$transaction([
      db.workspace.findMany({ select: VISIBLE, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: page.limit, skip: page.offset }),
      db.workspace.count(),
    ]),
  );
  return { rows, total };
}

/** Stores a new workspace. */
export async function insertWorkspace(
  db: Database,
  workspace: QuotaChange & { id: string; name: string },
  audit: AuditEntry,
): Promise<StoredWorkspace> {
  const [stored] = await runQuery(db.$transaction([db.workspace.create({ data: workspace, select: VISIBLE }), auditStatement(db, audit)]));
  return stored;
}

/** Renames, enables, disables or bounds a workspace, or sets its quotas. @throws GatewayError NOT_FOUND */
export async function updateWorkspace(
  db: Database,
  id: string,
  change: QuotaChange & { name?: string | undefined; status?: string | undefined; maxConcurrency?: number | null | undefined },
  audit: AuditEntry,
): Promise<StoredWorkspace> {
  return runQuery(
    db.$transaction(async (tx) => {
      const [stored] = await tx.workspace.updateManyAndReturn({ where: { id }, data: change, select: VISIBLE });
      if (!stored) throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'id' });
      await auditStatement(tx, audit);
      return stored;
    }),
  );
}

/** Rejects an unknown workspace. @throws GatewayError VALIDATION_ERROR naming `workspace_id` */
export async function assertWorkspace(db: Database, id: string): Promise<void> {
  if (await runQuery(db.workspace.findUnique({ where: { id }, select: { id: true } }))) return;
  throw new GatewayError('VALIDATION_ERROR', 'no such workspace', { param: 'workspace_id' });
}
