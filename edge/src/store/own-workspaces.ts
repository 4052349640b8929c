import { type WorkspaceRole } from '../config/roles.ts';
import { type Database, runQuery } from './client.ts';
import { type OffsetPage } from './keys.ts';

/** A workspace of a user, with their role. */
export interface OwnWorkspace {
  id: string;
  name: string;
  /** `active` or `disabled`. */
  status: string;
  role: WorkspaceRole;
  createdAt: Date;
}

type PageOf = { limit: number; offset: number };

/** Returns a page of the workspaces of a user, oldest first. */
export async function listOwnWorkspaces(db: Database, userId: string, page: PageOf): Promise<OffsetPage<OwnWorkspace>> {
  const [rows, total] = await runQuery(
    db.$transaction([
      db.membership.findMany({
        where: { userId },
        select: { role: true, workspace: { select: { id: true, name: true, status: true, createdAt: true } } },
        orderBy: [{ workspace: { createdAt: 'asc' } }, { workspaceId: 'asc' }],
        take: page.limit,
        skip: page.offset,
      }),
      db.membership.count({ where: { userId } }),
    ]),
  );
  return { rows: rows.map(({ role, workspace }) => ({ ...workspace, role: role as WorkspaceRole })), total };
}
