import { type Call } from '@parley/kit/rpc/call';
import { type ListProjectsRequest, type ListProjectsResponse } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { countProjectConversations, toProject } from '../projects/project-record.ts';
import { readProjectPage } from '../store/projects.ts';

/** RPC ListProjects: a page of the workspace's active projects that match the search, newest first, with conversation counts. */
export async function listProjects(deps: Deps, request: ListProjectsRequest, call: Call): Promise<ListProjectsResponse> {
  const { projects, total } = await readProjectPage(deps.store.database, call.caller.workspaceId, request);
  const ids = projects.map(({ id }) => id);
  const counts = await countProjectConversations(deps, ids, call);
  return { projects: projects.map((project) => toProject(project, counts.get(project.id))), total };
}
