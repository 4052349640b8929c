import { z } from 'zod';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type project, toProject } from '../../wire/project.ts';
import { type RouteDeps } from '../deps.ts';
import { search } from '../fields.ts';
import { pageHeaders, paging } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';

/** Query parameters of the list of projects. */
export const projectsQuery = z.object({
  search: search.optional().meta({ description: 'Only projects with this text in the name; case-insensitive.' }),
  ...paging,
});

/** Returns a page of the upstream projects of the workspace. */
export async function listProjects(
  { principal, query }: Input<undefined, z.output<typeof projectsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof project>[]>> {
  const { search: asked, limit, offset } = query;
  const { projects, total } = await clients.chatRouting.listProjects({ search: asked ?? '', limit, offset }, { caller: principal });
  return { body: projects.map(toProject), headers: pageHeaders('/v1/projects', { search: asked }, query, total, getLinkWriter(principal)) };
}
