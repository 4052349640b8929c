import { uuidv7 } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { runQuery, type Database } from './client.ts';
import { type OffsetPage } from './keys.ts';

/** An internal, admin-managed project of a workspace (header X-Service-Project). */
export interface StoredInternalProject {
  id: string;
  workspaceId: string;
  slug: string;
  name: string;
  /** `allow_general` or `require_project`. */
  policy: string;
  createdAt: Date;
}

/** The key of an internal project: workspace and slug. */
export type InternalProjectRef = Pick<StoredInternalProject, 'workspaceId' | 'slug'>;

const VISIBLE = { id: true, workspaceId: true, slug: true, name: true, policy: true, createdAt: true } as const;

/** Returns the internal project with this slug in the workspace, or undefined. */
export async function findInternalProject(db: Database, workspaceId: string, slug: string) {
  const select = { id: true, slug: true, name: true, policy: true } as const;
  return (await runQuery(db.internalProject.findUnique({ where: { workspaceId_slug: { workspaceId, slug } }, select }))) ?? undefined;
}

/** Returns a page of the internal projects of a workspace, by slug. */
export async function listInternalProjects(
  db: Database,
  { workspaceId, limit, offset }: { workspaceId: string; limit: number; offset: number },
): Promise<OffsetPage<StoredInternalProject>> {
  const where = { workspaceId };
  const [rows, total] = await runQuery(
    db.$transaction([
      db.internalProject.findMany({ where, select: VISIBLE, orderBy: { slug: 'asc' }, take: limit, skip: offset }),
      db.internalProject.count({ where }),
    ]),
  );
  return { rows, total };
}

/** Creates an internal project, or changes its name and policy. */
export async function putInternalProject(
  db: Database,
  { workspaceId, slug, name, policy }: Omit<StoredInternalProject, 'id' | 'createdAt'>,
  audit: AuditEntry,
): Promise<StoredInternalProject> {
  const upsert = db.internalProject.upsert({
    where: { workspaceId_slug: { workspaceId, slug } },
    create: { id: uuidv7(), workspaceId, slug, name, policy },
    update: { name, policy },
    select: VISIBLE,
  });
  const [stored] = await runQuery(db.$transaction([upsert, auditStatement(db, audit)]));
  return stored;
}

/**
 * Deletes an internal project. Revoked keys lose their reference to it; a usable key would lose its policy, so it prevents the deletion.
 * @throws GatewayError INTERNAL_PROJECT_NOT_FOUND, or VALIDATION_ERROR naming `slug` while a usable key is bound to it
 */
export async function deleteInternalProject(db: Database, { workspaceId, slug }: InternalProjectRef, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      const found = await tx.internalProject.findUnique({ where: { workspaceId_slug: { workspaceId, slug } }, select: { id: true } });
      if (!found) throw new GatewayError('INTERNAL_PROJECT_NOT_FOUND', 'no such internal project', { param: 'slug' });
      const bound = await tx.apiKey.count({ where: { internalProjectId: found.id, revokedAt: null } });
      if (bound > 0) throw new GatewayError('VALIDATION_ERROR', `${bound} keys are bound to it; revoke them first`, { param: 'slug' });
      await tx.apiKey.updateMany({ where: { internalProjectId: found.id }, data: { internalProjectId: null } });
      await tx.internalProject.delete({ where: { id: found.id } });
      await auditStatement(tx, audit);
    }),
  );
}
