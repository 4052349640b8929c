import { type Call } from '@parley/kit/rpc/call';
import { type ListProjectSourcesResponse, type ProjectRequest } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { listSources } from '../files/list-sources.ts';
import { requireStoredProject, toSource } from '../projects/project-record.ts';

/** RPC ListProjectSources: the files of a project, oldest first. Throws PROJECT_NOT_FOUND. */
export async function listProjectSources(deps: Deps, { projectId }: ProjectRequest, call: Call): Promise<ListProjectSourcesResponse> {
  const project = await requireStoredProject(deps, projectId, call);
  return { sources: (await listSources(deps, project)).map(toSource) };
}
