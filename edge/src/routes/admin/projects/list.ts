import { type z } from 'zod';
import { type adminProject, toAdminProject } from '../../../wire/project.ts';
import { type RouteDeps } from '../../deps.ts';
import { pageHeaders } from '../../paging.ts';
import { type projectsQuery } from '../../projects/list.ts';
import { type Input, type Reply } from '../../route.ts';
import { withWorkspace } from '../callers.ts';
import { type workspaceQuery } from '../fields.ts';

type ListQuery = z.output<typeof projectsQuery> & z.output<typeof workspaceQuery>;

/** Returns a page of all upstream projects of a workspace's accounts, bound or not. */
export async function listAdminProjects(
  { principal, query }: Input<undefined, ListQuery>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof adminProject>[]>> {
  const { workspace_id, search, limit, offset } = query;
  const caller = withWorkspace(principal, workspace_id);
  const { projects, total } = await clients.chatRouting.listProjects({ search: search ?? '', limit, offset }, { caller });
  return { body: projects.map(toAdminProject), headers: pageHeaders('/admin/v1/projects', { workspace_id, search }, query, total) };
}
