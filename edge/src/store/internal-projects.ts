import { asked, type Database } from './client.ts';

/** The internal project with this slug in the workspace; undefined when there is none. */
export async function findInternalProject(db: Database, workspaceId: string, slug: string) {
  const select = { id: true, slug: true, name: true, policy: true } as const;
  return (await asked(db.internalProject.findUnique({ where: { workspaceId_slug: { workspaceId, slug } }, select }))) ?? undefined;
}
