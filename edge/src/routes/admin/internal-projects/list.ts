import { z } from 'zod';
import { listInternalProjects as findInternalProjects } from '../../../store/internal-projects.ts';
import { type internalProject, toInternalProject } from '../../../wire/internal-project.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders, paging } from '../../paging.ts';
import { type Input, type Reply } from '../../route.ts';
import { workspaceId } from '../fields.ts';

/** Query parameters of the list of internal projects. */
export const internalProjectsQuery = z.object({ workspace_id: workspaceId, ...paging });

/** Returns a page of the internal projects of a workspace, by slug. */
export async function listInternalProjects(
  { query }: Input<undefined, z.output<typeof internalProjectsQuery>>,
  { db }: RouteDeps,
): Promise<Reply<z.input<typeof internalProject>[]>> {
  const { workspace_id, limit, offset } = query;
  const { rows, total } = await findInternalProjects(db, { workspaceId: workspace_id, limit, offset });
  const headers = pageHeaders('/admin/v1/internal-projects', { workspace_id }, query, total);
  return { body: rows.map(toInternalProject), headers };
}
