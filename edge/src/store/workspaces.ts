import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { Prisma } from '../generated/prisma/client.ts';
import { type AuditEntry, auditStatement, changedFields } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { type QuotaChange } from './keys.ts';
import { type ListOrder, type ListPage, type PageRequest, readListPage } from './list-page.ts';
import { containsSql } from './search-sql.ts';

/**
 * A stored workspace, which owns keys, connections and conversations; its quotas are texts such as `10000 per 1 day`, or null for the
 * default.
 */
export interface StoredWorkspace {
  id: string;
  name: string;
  /** `active` or `disabled`. */
  status: string;
  quotaRequests: string | null;
  quotaTokens: string | null;
  quotaAudioSeconds: string | null;
  createdAt: Date;
  /** Most concurrent requests at each edge; null for the configured default. */
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

/** The filter of a list of workspaces. */
interface WorkspaceFilter {
  /** An id, or a part of a name. */
  search?: string | undefined;
  status?: string | undefined;
}

/** Returns a page of workspaces, oldest first. */
export function listWorkspaces(db: Database, { search, status }: WorkspaceFilter, page: PageRequest): Promise<ListPage<StoredWorkspace>> {
  const where = [
    ...(status === undefined ? [] : [Prisma.sql`w.status = ${status}`]),
    ...(search ? [isUuid(search) ? Prisma.sql`w.id = ${search}::uuid` : containsSql(Prisma.sql`w.name`, search)] : []),
  ];
  const order: ListOrder = { name: 'created_at', by: Prisma.sql`w.created_at`, type: 'time' };
  return readListPage(db, { from: Prisma.sql`workspaces w`, where, id: Prisma.sql`w.id`, order }, page, (ids) =>
    runQuery(db.workspace.findMany({ where: { id: { in: ids } }, select: VISIBLE })),
  );
}

/** Returns the workspace with an id; null when there is none. */
export function findWorkspace(db: Database, id: string): Promise<StoredWorkspace | null> {
  return runQuery(db.workspace.findUnique({ where: { id }, select: VISIBLE }));
}

/** Returns the names of workspaces by id; unknown ids are absent. */
export async function listWorkspaceNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await runQuery(db.workspace.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } }));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Stores a new workspace with its audit entry; with `ownerId`, this user becomes its owner. */
export async function insertWorkspace(
  db: Database,
  workspace: QuotaChange & { id: string; name: string },
  ownerId: string | null,
  audit: AuditEntry,
): Promise<StoredWorkspace> {
  const memberships = ownerId === null ? {} : { memberships: { create: { userId: ownerId, role: 'owner' } } };
  const data = { ...workspace, ...memberships };
  const [stored] = await runQuery(db.$transaction([db.workspace.create({ data, select: VISIBLE }), auditStatement(db, audit)]));
  return stored;
}

/** Changes the name, the status, the concurrency limit or the quotas of a workspace. @throws GatewayError NOT_FOUND */
export async function updateWorkspace(
  db: Database,
  id: string,
  change: QuotaChange & { name?: string | undefined; status?: string | undefined; maxConcurrency?: number | null | undefined },
  audit: AuditEntry,
): Promise<StoredWorkspace> {
  return runQuery(
    db.$transaction(async (tx) => {
      const before = await tx.workspace.findUnique({ where: { id }, select: VISIBLE });
      if (!before) throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'id' });
      const stored = await tx.workspace.update({ where: { id }, data: change, select: VISIBLE });
      await auditStatement(tx, { ...audit, details: changedFields(before, stored) });
      return stored;
    }),
  );
}

/** Returns the quotas of a workspace, as texts or null for the default. @throws GatewayError NOT_FOUND */
export async function findWorkspaceQuotas(
  db: Database,
  id: string,
): Promise<Pick<StoredWorkspace, 'quotaRequests' | 'quotaTokens' | 'quotaAudioSeconds'>> {
  const select = { quotaRequests: true, quotaTokens: true, quotaAudioSeconds: true } as const;
  const found = await runQuery(db.workspace.findUnique({ where: { id }, select }));
  if (!found) throw new GatewayError('NOT_FOUND', 'no such workspace', { param: 'workspace_id' });
  return found;
}

/** Rejects an unknown workspace. @throws GatewayError VALIDATION_ERROR naming `workspace_id` */
export async function requireWorkspaceExists(db: Database, id: string): Promise<void> {
  if (await runQuery(db.workspace.findUnique({ where: { id }, select: { id: true } }))) return;
  throw new GatewayError('VALIDATION_ERROR', 'no such workspace', { param: 'workspace_id' });
}
